/* Celtica for random players, written by hand: what the compiled loop of the platform is measured against.

   The same rules (a § is in variants/celtica/RULES.md), the same generator and the same columns as boardgames/engine.py, so that the
   rows of both can be compared byte by byte. compare_with_c.py compiles and runs it. With -DRULES={...} the rules are constants of the
   compiler, which no variant can change; without, they are read where they are needed, as the platform does. */

#include <stdint.h>
#include <string.h>

enum { COLOURS = 5, KINDS = 9, SEATS = 5, PLACES = 32, TALLIES = 16, DRUID_COPIES = 12, EXPERIENCE_COPIES = 4, PART_COPIES = 10 };
enum { START, VILLAGE, CLOISTER, CASTLE, CULT_SITE, RUIN, GOAL };
enum { MOVE, TAKING, GIVING, CULT, EXCHANGE, SWAPPING, TURN_OVER, PHASES = 64 };
enum { DRUIDS, EXPERIENCE, STOCK, STREAMS };
enum { BY_ROUND = 1, ALL_HOME, NO_PARTS };
enum { AFTER_TURN, AFTER_PART, WHEN_EMPTY, AFTER_TAKING };
enum { VISITS = -1, PARTS_GAINED = 6, PARTS_LOST, PARTS_SWAPPED, LEARNT, MOVED_BY, SPENT, CULT_TAKEN, CULT_REFUSED, WASTED, LEAPS };
enum { DRUID_PLAYS = DRUID_COPIES + 1, EXPERIENCE_PLAYS = EXPERIENCE_COPIES + 1, LANDINGS = 7 };
enum { TAKE = COLOURS * DRUID_PLAYS * EXPERIENCE_PLAYS * LANDINGS, GIVE = TAKE + KINDS, DRAW_CARD = GIVE + KINDS, NO_CARD,
       SWAP, RETURN = SWAP + KINDS, BUY = RETURN + KINDS, DONE = BUY + KINDS };
enum { EXACT = 1, NEXT_TURN = 1, MUST = 1, NEVER = 2, AFTER_LAST = 0, LAST = 1, TO_DISPLAY = 0, AT_ONCE = 1, HAND_BY_HAND = 1 };
enum { MOST_SEATS = 8, AGENTS_STREAM = 0x5EA75, FIRST_HASH = 0x2545F491, MOST_STARTING_PARTS = 9 };
enum { EXPERIENCE_WORTH = 1200, CARD_WORTH = 800, PART_FOUND = 1000, PART_LOST = 700, CULT_STOP = 1000, GIFT = 10 };

typedef struct {
    int32_t hand_size, starting_parts[SEATS], display_size, refill, goal_pays, cult_draw, cult_deadline, overshoot, most_cards,
        most_cards_home, experience_per_ruin, experience_alone, last_round, next_start, swap_price, part_price, swapped_part,
        fifth_druid, dealing, experience_with_last_card;
    int16_t place_kind[PLACES], place_parts[PLACES], goal;
} Rules;

typedef struct {
    int64_t key[STREAMS];
    int32_t step[STREAMS], turn, begun[SEATS];
    int16_t seats, player, phase, end, owed, wanted, starter, reason, unasked;
    int16_t due[SEATS], drew[SEATS], position[COLOURS];
    int16_t druid_deck[COLOURS], druid_discard[COLOURS], hand[SEATS][COLOURS];
    int16_t experience_deck[COLOURS], experience_discard[COLOURS], experience[SEATS][COLOURS];
    int16_t stock[KINDS], given_up[KINDS], display[KINDS], parts[SEATS][KINDS];
    int16_t tally[SEATS][TALLIES];
    int druids_left, experience_left, in_stock, displayed, held[SEATS], learned[SEATS], owned[SEATS];  /* sums of the counts above */
} State;

typedef struct {
    int64_t deal, hash, branching, log_branching;
    int32_t turns, rounds, decisions, forced, widest, threshold, lead_changes, last_lead_change;
    int16_t seating, end, tied, winners, leaders_25, leaders_50, leaders_75, filler;
} Match;

typedef struct {
    int64_t evaluation_25, evaluation_50, evaluation_75, deficit;
    double win_share;
    int32_t score, score_25, score_50, score_75, rounds_led, turns, decisions, opening;
    int16_t place, tally[TALLIES], filler[3];
} Seat;

typedef struct {
    int64_t asked[MOST_SEATS][PHASES], turn_of[MOST_SEATS][PHASES], evaluations[5002][MOST_SEATS], scores[5002][MOST_SEATS];
} Scratch;

#ifdef RULES
static const Rules fixed = RULES;
#define rule(name) (fixed.name)
#else
static const Rules *in_force;
#define rule(name) (in_force->name)
#endif

static int64_t standing_of[PART_COPIES + 1], progress_of[PART_COPIES + 1];

/* ---- chance */

static inline uint32_t scramble(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x21F0AAADu;
    x = (x ^ (x >> 15)) * 0x735A2D97u;
    return x ^ (x >> 15);
}

static inline int64_t fold(int64_t key, int64_t number) {
    uint32_t low = scramble((uint32_t)(key >> 32) ^ (uint32_t)number);
    uint32_t high = scramble((uint32_t)key ^ low ^ (uint32_t)(number >> 32));
    return ((int64_t)(high & 0x7FFFFFFFu) << 32) | low;
}

static inline int64_t number(int64_t key, int64_t step, int64_t n) {
    uint32_t low = scramble((uint32_t)key ^ (uint32_t)(step * 0x61C88647));
    return (int64_t)(((uint64_t)scramble(low ^ (uint32_t)(key >> 32)) * (uint64_t)n) >> 32);
}

static inline int total(const int16_t *counts, int kinds) {
    int pieces = 0;
    for (int kind = 0; kind < kinds; kind++) pieces += counts[kind];
    return pieces;
}

static inline int draw(State *s, int stream, int16_t *counts, int *sum) {
    if (*sum == 0) return -1;
    int left = (int)number(s->key[stream], s->step[stream]++, (*sum)--), kind = 0;
    while (left >= counts[kind]) left -= counts[kind++];
    counts[kind]--;
    return kind;
}

static inline int draw_or_reshuffle(State *s, int stream, int16_t *counts, int *sum, int16_t *discards, int kinds) {
    if (*sum == 0)
        for (int kind = 0; kind < kinds; kind++) *sum += counts[kind] = discards[kind], discards[kind] = 0;
    return draw(s, stream, counts, sum);
}

/* ---- pieces */

static inline int draw_druid_card(State *s) { return draw_or_reshuffle(s, DRUIDS, s->druid_deck, &s->druids_left, s->druid_discard, COLOURS); }

static void deal(State *s) {  /* §2.2, §5.2 */
    int by_hand = rule(dealing) == HAND_BY_HAND, outer = by_hand ? s->seats : rule(hand_size);
    int inner = by_hand ? rule(hand_size) : s->seats;
    for (int i = 0; i < outer; i++)
        for (int j = 0; j < inner; j++) {
            int seat = by_hand ? i : j;
            s->hand[seat][draw_druid_card(s)]++, s->held[seat]++;
        }
}

static void fill_display(State *s) {  /* §4.2, §5.3 */
    for (int missing = rule(display_size) - s->displayed; missing > 0; missing--) {
        int kind = draw_or_reshuffle(s, STOCK, s->stock, &s->in_stock, s->given_up, KINDS);
        if (kind < 0) return;
        s->display[kind]++, s->displayed++;
    }
}

static inline void refill(State *s, int moment) {  /* §4.2 */
    if (rule(refill) == WHEN_EMPTY && s->displayed > 0) return;
    if (moment == AFTER_TURN || moment == rule(refill)) fill_display(s);
}

static inline void learn(State *s, int seat) {  /* §4.4 */
    for (int card = 0; card < rule(experience_per_ruin); card++) {
        int colour = draw_or_reshuffle(s, EXPERIENCE, s->experience_deck, &s->experience_left, s->experience_discard, COLOURS);
        if (colour >= 0) s->experience[seat][colour]++, s->learned[seat]++, s->tally[seat][LEARNT]++;
    }
}

static void spend(State *s, int seat, int cards) {  /* §6.3 */
    s->tally[seat][SPENT] += cards, s->learned[seat] -= cards;
    for (int colour = 0; colour < COLOURS; colour++) {
        int paid = cards < s->experience[seat][colour] ? cards : s->experience[seat][colour];
        s->experience[seat][colour] -= paid, s->experience_discard[colour] += paid, cards -= paid;
    }
}

static inline void take_part(State *s, int seat, int kind) {
    s->display[kind]--, s->displayed--, s->parts[seat][kind]++, s->owned[seat]++, s->tally[seat][PARTS_GAINED]++;
}

static inline void begin_turn(State *s, int seat) { s->turn++, s->begun[seat]++, s->player = seat; }

static inline int next_seat(const State *s, int seat) { return seat + 1 == s->seats ? 0 : seat + 1; }

static void setup(State *s) {  /* §2.1, §2.2 */
    for (int colour = 0; colour < COLOURS; colour++)
        s->druid_deck[colour] = DRUID_COPIES, s->experience_deck[colour] = EXPERIENCE_COPIES;
    for (int kind = 0; kind < KINDS; kind++) s->stock[kind] = PART_COPIES;
    s->druids_left = COLOURS * DRUID_COPIES, s->experience_left = COLOURS * EXPERIENCE_COPIES, s->in_stock = KINDS * PART_COPIES;
    fill_display(s);
    for (int already = 0; already < MOST_STARTING_PARTS; already++)
        for (int seat = 0; seat < s->seats; seat++)
            if (already < rule(starting_parts)[seat]) s->parts[seat][draw(s, STOCK, s->stock, &s->in_stock)]++, s->owned[seat]++;
    deal(s);
    begin_turn(s, 0);
}

/* ---- the exchange after the end */

static inline int can_pay(const State *s, int seat, int price) { return price > 0 && price <= s->learned[seat]; }

static inline int can_swap_for(const State *s, int seat, int kind) {
    int kept = rule(swapped_part) == TO_DISPLAY ? s->parts[seat][kind] : 0;
    return s->display[kind] > 0 && s->owned[seat] > kept && can_pay(s, seat, rule(swap_price));
}

static int can_exchange(const State *s, int seat) {  /* §6.2, §6.3 */
    if (can_pay(s, seat, rule(part_price))) return s->displayed > 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (can_swap_for(s, seat, kind)) return 1;
    return 0;
}

static void next_exchange(State *s) {  /* §6.2 */
    int seat = s->player;
    while (s->unasked > 0) {
        seat = next_seat(s, seat), s->unasked--;
        if (can_exchange(s, seat)) {
            s->phase = EXCHANGE;
            begin_turn(s, seat);
            return;
        }
    }
    s->end = s->reason;
}

static void finish(State *s, int reason) {  /* §6.1 */
    for (int seat = 0; seat < s->seats; seat++) {
        s->due[seat] = s->drew[seat] = s->held[seat] = 0;
        for (int colour = 0; colour < COLOURS; colour++)
            s->druid_discard[colour] += s->hand[seat][colour], s->hand[seat][colour] = 0;
    }
    s->reason = reason, s->unasked = s->seats;
    next_exchange(s);
}

static void exchange(State *s, int action) {  /* §6.2, §6.3 */
    int seat = s->player;
    if (action < RETURN) {
        int kind = action - SWAP;
        spend(s, seat, rule(swap_price));
        s->display[kind]--, s->displayed--, s->parts[seat][kind]++, s->tally[seat][PARTS_SWAPPED]++;
        s->wanted = kind, s->phase = SWAPPING;
        return;
    }
    if (action < BUY) {
        int kind = action - RETURN;
        s->phase = EXCHANGE, s->parts[seat][kind]--;
        if (rule(swapped_part) == TO_DISPLAY) s->display[kind]++, s->displayed++;
        else s->given_up[kind]++;
        refill(s, AFTER_PART);
    } else if (action < DONE) {
        spend(s, seat, rule(part_price));
        take_part(s, seat, action - BUY);
        refill(s, AFTER_PART);
    }
    if (action == DONE || !can_exchange(s, seat)) {
        refill(s, AFTER_TURN);
        next_exchange(s);
    }
}

/* ---- turns and rounds */

static inline int next_with_cards(const State *s) {  /* §5.1 */
    int seat = s->player;
    for (int other = 0; other < s->seats; other++) {
        seat = next_seat(s, seat);
        if (s->held[seat] > 0) return seat;
    }
    return -1;
}

static inline int druids_home(const State *s) {  /* §6.1 */
    int home = 0;
    for (int colour = 0; colour < COLOURS; colour++) home += s->position[colour] == rule(goal);
    return home;
}

static void end_turn(State *s) {  /* §4.2, §5.2, §6.1 */
    if (rule(refill) != AFTER_TAKING) refill(s, AFTER_TURN);
    s->phase = MOVE;
    int home = druids_home(s), seat = next_with_cards(s);
    if (s->displayed == 0) finish(s, NO_PARTS);
    else if (home == COLOURS) finish(s, ALL_HOME);
    else if (home >= rule(last_round) && seat < 0) finish(s, BY_ROUND);
    else if (seat >= 0) begin_turn(s, seat);
    else {
        deal(s);
        if (rule(next_start) == AFTER_LAST) s->starter = next_seat(s, s->player);
        else if (rule(next_start) == LAST) s->starter = s->player;
        else s->starter = next_seat(s, s->starter);
        begin_turn(s, s->starter);
    }
}

static inline void take_more(State *s) {  /* §4.1 */
    if (s->displayed == 0) s->owed = 0;
    s->phase = s->owed > 0 ? TAKING : TURN_OVER;
}

static inline void give_more(State *s) {  /* §4.3, §4.4 */
    s->phase = s->owed > 0 ? GIVING : TURN_OVER;
    if (s->owed == 0) learn(s, s->player);
}

static inline int is_goal_paying(const State *s) {  /* §4.7, §6.1 */
    return rule(goal_pays) && !(rule(fifth_druid) == AT_ONCE && druids_home(s) == COLOURS);
}

static void land_on(State *s, int place) {  /* §3.2 */
    int kind = rule(place_kind)[place];
    s->tally[s->player][VISITS + kind]++;
    if (kind == RUIN) {
        int held = s->owned[s->player], lost = rule(place_parts)[place];
        s->owed = lost < held ? lost : held;
        give_more(s);
    } else if (kind == CULT_SITE) {
        int none = rule(cult_draw) == NEVER || s->druids_left + total(s->druid_discard, COLOURS) == 0;
        s->phase = none ? TURN_OVER : CULT;
    } else if (kind == GOAL && !is_goal_paying(s)) {
        s->phase = TURN_OVER;
    } else {
        s->owed = rule(place_parts)[place];
        take_more(s);
    }
}

static void play(State *s, int cards) {  /* §3.1, §3.2, §3.3 */
    int seat = s->player, experience = cards % EXPERIENCE_PLAYS, druids = cards / EXPERIENCE_PLAYS % DRUID_PLAYS;
    int colour = cards / EXPERIENCE_PLAYS / DRUID_PLAYS, steps = druids + experience;
    s->hand[seat][colour] -= druids, s->held[seat] -= druids, s->druid_discard[colour] += druids;
    s->experience[seat][colour] -= experience, s->learned[seat] -= experience, s->experience_discard[colour] += experience;
    s->tally[seat][MOVED_BY] += experience;
    s->due[seat] = s->drew[seat] = 0;
    if (s->position[colour] == rule(goal)) {
        s->tally[seat][WASTED] += steps, s->phase = TURN_OVER;
    } else {
        int place = s->position[colour] + steps;
        s->tally[seat][LEAPS] += steps > 1;
        s->position[colour] = place = place < rule(goal) ? place : rule(goal);
        land_on(s, place);
    }
}

static void apply(State *s, int action) {
    if (action < TAKE) {
        play(s, action / LANDINGS);
    } else if (action < GIVE) {
        take_part(s, s->player, action - TAKE);
        s->owed--;
        refill(s, AFTER_PART);
        take_more(s);
        if (s->phase == TURN_OVER) refill(s, AFTER_TAKING);
    } else if (action < DRAW_CARD) {
        s->parts[s->player][action - GIVE]--, s->owned[s->player]--, s->given_up[action - GIVE]++, s->tally[s->player][PARTS_LOST]++;
        s->owed--;
        give_more(s);
    } else if (action < SWAP) {
        if (action == NO_CARD) {
            s->tally[s->player][CULT_REFUSED]++;
        } else {  /* §4.5, §4.6 */
            int colour = draw_druid_card(s);
            s->hand[s->player][colour]++, s->held[s->player]++, s->tally[s->player][CULT_TAKEN]++;
            if (rule(cult_deadline) == NEXT_TURN) s->due[s->player] = 1 + colour, s->drew[s->player] = 1;
        }
        s->phase = TURN_OVER;
    } else {
        exchange(s, action);
    }
    if (s->phase == TURN_OVER) end_turn(s);
}

/* ---- what may be done */

static inline int plays_of(const State *s, int colour, int held, int experience, int64_t *actions, int n) {  /* §3.1 */
    int goal = rule(goal), place = s->position[colour], steps = goal - place, most = rule(most_cards);
    if (steps == 0) most = most < rule(most_cards_home) ? most : rule(most_cards_home);
    else if (rule(overshoot) == EXACT) most = most < steps ? most : steps;
    int alone = experience > 0 && rule(experience_alone) && s->due[s->player] == 0;
    for (int druids = !alone; druids <= (most < held ? most : held); druids++) {
        int added = rule(experience_with_last_card) || druids < s->held[s->player] ? experience : 0;
        int last = most < druids + added ? most : druids + added;
        for (int cards = druids > 1 ? druids : 1; cards <= last; cards++) {
            int landing = steps == 0 ? START : rule(place_kind)[place + cards < goal ? place + cards : goal];
            actions[n++] = ((colour * DRUID_PLAYS + druids) * EXPERIENCE_PLAYS + cards - druids) * LANDINGS + landing;
        }
    }
    return n;
}

static int legal(const State *s, int64_t *actions) {
    int seat = s->player, n = 0;
    if (s->phase == MOVE) {
        int duty = s->due[seat];
        for (int colour = 0; colour < COLOURS; colour++) {
            int held = s->hand[seat][colour], experience = s->experience[seat][colour];
            if (held + experience > 0 && (duty == 0 || duty == 1 + colour)) n = plays_of(s, colour, held, experience, actions, n);
        }
    } else if (s->phase == TAKING) {
        for (int kind = 0; kind < KINDS; kind++) actions[n] = TAKE + kind, n += s->display[kind] > 0;
    } else if (s->phase == GIVING) {
        for (int kind = 0; kind < KINDS; kind++) actions[n] = GIVE + kind, n += s->parts[seat][kind] > 0;
    } else if (s->phase == CULT) {
        actions[0] = DRAW_CARD, actions[1] = NO_CARD;
        n = rule(cult_draw) == MUST ? 1 : 2;
    } else if (s->phase == SWAPPING) {
        for (int kind = 0; kind < KINDS; kind++) {  /* §6.3 */
            int held = s->parts[seat][kind];
            if (kind == s->wanted) held = rule(swapped_part) == TO_DISPLAY ? 0 : held - 1;
            if (held > 0) actions[n++] = RETURN + kind;
        }
    } else {
        for (int kind = 0; kind < KINDS; kind++) {
            if (can_swap_for(s, seat, kind)) actions[n++] = SWAP + kind;
            if (s->display[kind] > 0 && can_pay(s, seat, rule(part_price))) actions[n++] = BUY + kind;
        }
        actions[n++] = DONE;
    }
    return n;
}

/* ---- columns */

static int64_t score(const State *s, int seat) {  /* §6.4 */
    int complete = s->parts[seat][0];
    for (int kind = 1; kind < KINDS; kind++) complete = complete < s->parts[seat][kind] ? complete : s->parts[seat][kind];
    return complete;
}

static int64_t standing(const State *s, int seat) {
    int64_t sizes = 0;
    for (int kind = 0; kind < KINDS; kind++) sizes += standing_of[s->parts[seat][kind]];
    return sizes;
}

static int64_t rate_stop(int place) {
    int kind = rule(place_kind)[place], parts = rule(place_parts)[place];
    if (kind == RUIN) return EXPERIENCE_WORTH * rule(experience_per_ruin) - PART_LOST * parts;
    if (kind == CULT_SITE) return CULT_STOP;
    if (kind == GOAL && !rule(goal_pays)) return 0;
    return PART_FOUND * parts;
}

static int64_t evaluate(const State *s, int seat) {
    int ahead = seat - s->player;
    ahead += ahead < 0 ? s->seats : 0;
    int useful = s->phase < EXCHANGE || (0 < ahead && ahead <= s->unasked);
    int64_t progress = useful ? EXPERIENCE_WORTH * s->learned[seat] : 0, stops = 0;
    for (int kind = 0; kind < KINDS; kind++) progress += progress_of[s->parts[seat][kind]];
    if (s->phase >= EXCHANGE) return progress;
    for (int colour = 0; colour < COLOURS; colour++)
        if (s->position[colour] < rule(goal)) stops += rate_stop(s->position[colour] + 1);
    return progress + CARD_WORTH * s->held[seat] - ((GIFT * stops) >> 4);
}

static inline void mark_round(const State *s, int round, Scratch *scratch) {
    for (int seat = 0; seat < s->seats; seat++)
        scratch->evaluations[round][seat] = evaluate(s, seat), scratch->scores[round][seat] = score(s, seat);
}

static void measure_result(const State *s, Match *match, Seat *seats) {
    int64_t best = INT64_MIN / 2, second = INT64_MIN / 2;
    for (int seat = 0; seat < s->seats; seat++) {
        int64_t points = score(s, seat), mine = standing(s, seat);
        int place = 1;
        for (int other = 0; other < s->seats; other++) place += standing(s, other) > mine;
        seats[seat].score = points, seats[seat].place = place, seats[seat].turns = s->begun[seat];
        memcpy(seats[seat].tally, s->tally[seat], sizeof s->tally[seat]);
        match->winners += place == 1;
        if (points > best) {
            second = best, best = points, match->tied = 1;
        } else {
            match->tied += points == best;
            second = second > points ? second : points;
        }
    }
    match->threshold = best - second;
    for (int seat = 0; seat < s->seats; seat++)
        if (seats[seat].place == 1) seats[seat].win_share = 1.0 / match->winners;
}

static int leaders(const int64_t *evaluations, int seats, int64_t *best) {
    int mask = 0;
    *best = evaluations[0];
    for (int seat = 0; seat < seats; seat++) {
        if (evaluations[seat] > *best) mask = 0, *best = evaluations[seat];
        if (evaluations[seat] == *best) mask |= 1 << seat;
    }
    return mask;
}

static void measure_lead(const State *s, Match *match, Seat *seats, const Scratch *scratch) {
    int leader = -1, quarter = match->rounds / 4, half = match->rounds / 2, third = 3 * match->rounds / 4;
    int64_t best;
    for (int round = 1; round <= match->rounds; round++) {
        int mask = leaders(scratch->evaluations[round], s->seats, &best), now = -1;
        for (int seat = 0; seat < s->seats; seat++) {
            int64_t behind = best - scratch->evaluations[round][seat];
            if (behind > seats[seat].deficit) seats[seat].deficit = behind;
            if (mask == 1 << seat) now = seat, seats[seat].rounds_led++;
        }
        if (now >= 0) {
            if (leader >= 0 && now != leader) match->lead_changes++, match->last_lead_change = round;
            leader = now;
        }
    }
    match->leaders_25 = leaders(scratch->evaluations[quarter], s->seats, &best);
    match->leaders_50 = leaders(scratch->evaluations[half], s->seats, &best);
    match->leaders_75 = leaders(scratch->evaluations[third], s->seats, &best);
    for (int seat = 0; seat < s->seats; seat++) {
        seats[seat].score_25 = scratch->scores[quarter][seat], seats[seat].evaluation_25 = scratch->evaluations[quarter][seat];
        seats[seat].score_50 = scratch->scores[half][seat], seats[seat].evaluation_50 = scratch->evaluations[half][seat];
        seats[seat].score_75 = scratch->scores[third][seat], seats[seat].evaluation_75 = scratch->evaluations[third][seat];
    }
}

/* ---- matches */

static inline int64_t decision_key(const State *s, int64_t key, int64_t row, Scratch *scratch) {
    int64_t begun = s->begun[s->player], turn = (row << 32) + begun + 1;
    int64_t *asked = &scratch->asked[s->player][s->phase], *turn_of = &scratch->turn_of[s->player][s->phase];
    if (*turn_of != turn) *turn_of = turn, *asked = 0;
    return fold(key, (begun << 32) | ((int64_t)s->phase << 24) | ++*asked);
}

static void play_match(State *s, int64_t luck, int64_t row, int cap, const int64_t *logs, int64_t *actions, Scratch *scratch,
                       Match *match, Seat *seats) {
    int64_t keys[MOST_SEATS], branching = 0, log_branching = 0;
    uint32_t low = FIRST_HASH, high = FIRST_HASH;
    int decisions = 0, forced = 0, widest = 0, rounds = 0;
    for (int seat = 0; seat < s->seats; seat++) keys[seat] = fold(luck, ((int64_t)seat << 32) + AGENTS_STREAM);
    mark_round(s, 0, scratch);
    while (s->end == 0 && decisions < cap) {
        int seat = s->player;
        int64_t key = decision_key(s, keys[seat], row, scratch);
        int n = legal(s, actions);
        int64_t action = actions[n == 1 ? 0 : number(key, 0, n)];
        decisions++, forced += n == 1, branching += n, log_branching += logs[n];
        widest = widest > n ? widest : n;
        low = (low ^ (uint32_t)action) * 0x01000193u;
        high = (high + (uint32_t)action) * 0x0019660Du + 1;
        if (seats[seat].decisions++ == 0) seats[seat].opening = action;
        apply(s, action);
        if (s->end == 0 && s->turn > (rounds + 1) * s->seats) mark_round(s, ++rounds, scratch);
    }
    match->decisions = decisions, match->forced = forced, match->branching = branching;
    match->log_branching = log_branching, match->widest = widest;
    match->hash = ((int64_t)(high & 0x7FFFFFFFu) << 32) | low;
    match->turns = s->turn, match->end = s->end;
    match->rounds = (s->turn + s->seats - 1) / s->seats;
    mark_round(s, match->rounds, scratch);
    measure_result(s, match, seats);
    measure_lead(s, match, seats, scratch);
}

/* Row b is deal `first` + b. All seats have the same agent, so that there is one seating. */
void play_deals(const Rules *rules, int64_t master, int seats_count, int64_t first, int64_t deals, const int64_t *names, int cap,
                 const int64_t *logs, int64_t *actions, Scratch *scratch, Match *matches, Seat *seats) {
#ifndef RULES
    in_force = rules;
#else
    (void)rules;
#endif
    int64_t size = 1000000000, worth = 0, parts = 0;
    for (int held = 1; held <= PART_COPIES; held++, size /= 10) {
        int64_t part = 1000;
        for (int k = 1; k < held; k++) part *= 3;
        for (int k = 1; k < held; k++) part /= 4;
        standing_of[held] = parts += size, progress_of[held] = worth += part;
    }
    memset(scratch->turn_of, 0, sizeof scratch->turn_of);
    for (int64_t b = 0; b < deals; b++) {
        State s;
        int64_t luck = fold(fold(fold(0, master), seats_count), first + b);
        memset(&s, 0, sizeof s);
        s.seats = seats_count;
        matches[b].deal = first + b;
        for (int seat = 0; seat < seats_count; seat++) seats[b * seats_count + seat].opening = -1;
        for (int stream = 0; stream < STREAMS; stream++) s.key[stream] = fold(luck, names[stream]);
        setup(&s);
        play_match(&s, luck, b, cap, logs, actions, scratch, &matches[b], &seats[b * seats_count]);
    }
}

int64_t scratch_size(void) { return sizeof(Scratch); }
