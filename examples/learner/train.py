"""Train a small net with NumPy alone, by playing against an agent of ours: python train.py [--game SPEC].

It is PPO, proximal policy optimisation: after each batch of steps, actions that led to more than was expected
become likelier, but not by much at a time. The result is weights.npz, by which player.py plays.
"""

import argparse
from pathlib import Path

import numpy as np

from boardgames.environments.gymnasium import vector_env

HIDDEN = 64
STEPS = 24  # of every match, between two updates
DISCOUNT = 0.98
TRACE = 0.9  # how far rewards reach back beyond what the baseline expects
ENTROPY = 0.01  # keeps the net trying things
RATE = 0.003
EPOCHS = 3  # how often a batch is learned from
CLIP = 0.2  # how far an action's chance may move before it is left alone


def make_weights(inputs: int, actions: int, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {
        "hidden": random.normal(0, inputs**-0.5, (inputs + 1, HIDDEN)),
        "policy": np.zeros((HIDDEN, actions)),
        "value": np.zeros((HIDDEN, 1)),
    }


def add_one(rows: np.ndarray) -> np.ndarray:
    """A last column of ones, for the constant of every hidden unit."""
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def evaluate(weights: dict[str, np.ndarray], inputs: np.ndarray, masks: np.ndarray):
    """Hidden units, the chance of each action, and the expected reward."""
    hidden = np.maximum(inputs @ weights["hidden"], 0)
    logits = np.where(masks, hidden @ weights["policy"], -1e9)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    return hidden, chances, (hidden @ weights["value"])[:, 0]


def sample(chances: np.ndarray, random: np.random.Generator) -> np.ndarray:
    below = chances.cumsum(axis=1) > random.random((len(chances), 1)) * chances.sum(axis=1, keepdims=True)
    return below.argmax(axis=1)


def find_gradients(weights, inputs, masks, actions, advantages, targets, before):
    """How to change the weights so that good actions become likelier and rewards are better expected."""
    hidden, chances, values = evaluate(weights, inputs, masks)
    count = len(actions)
    by_logit = -chances
    by_logit[np.arange(count), actions] += 1
    ratios = chances[np.arange(count), actions] / before
    is_far = np.where(advantages > 0, ratios > 1 + CLIP, ratios < 1 - CLIP)
    by_logit *= np.where(is_far, 0, ratios * advantages)[:, None]
    logs = np.log(chances + 1e-12)
    by_logit -= ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
    by_value = (targets - values)[:, None]
    by_hidden = (by_logit @ weights["policy"].T + by_value @ weights["value"].T) * (hidden > 0)
    return {
        "hidden": inputs.T @ by_hidden / count,
        "policy": hidden.T @ by_logit / count,
        "value": hidden.T @ by_value / count,
    }


class Adam:
    """The usual step size for each weight, from the first two moments of its gradient."""

    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        self.means = {name: np.zeros_like(value) for name, value in weights.items()}
        self.squares = {name: np.zeros_like(value) for name, value in weights.items()}
        self.steps = 0

    def update(self, weights, gradients) -> None:
        self.steps += 1
        for name, gradient in gradients.items():
            self.means[name] = 0.9 * self.means[name] + 0.1 * gradient
            self.squares[name] = 0.999 * self.squares[name] + 0.001 * gradient**2
            mean = self.means[name] / (1 - 0.9**self.steps)
            square = self.squares[name] / (1 - 0.999**self.steps)
            weights[name] += RATE * mean / (np.sqrt(square) + 1e-8)


def find_advantages(rewards, values, ends, last):
    """How much better each step turned out than expected, reaching back from later steps of its match."""
    advantages, following = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for step in reversed(range(len(rewards))):
        goes_on = 1 - ends[step]
        surprise = rewards[step] + DISCOUNT * goes_on * last - values[step]
        following = surprise + DISCOUNT * TRACE * goes_on * following
        advantages[step], last = following, values[step]
    return advantages


def train(game: str, players: int, opponents: str, updates: int, matches: int, seed: int, output: Path):
    env = vector_env(game, players, matches, opponents=opponents)
    random = np.random.default_rng(seed)
    observations, info = env.reset(seed=seed)
    span = np.maximum(np.abs(observations).max(axis=0), 1)  # a scale for each entry, from the first positions
    weights = make_weights(observations.shape[1], env.single_action_space.n, seed)
    adam, results = Adam(weights), []
    for update in range(1, updates + 1):
        batch = []
        for _ in range(STEPS):
            inputs, masks = add_one(observations / span), info["action_mask"] > 0
            _, chances, values = evaluate(weights, inputs, masks)
            actions = sample(chances, random)
            observations, rewards, terminations, truncations, info = env.step(actions)
            ends = (terminations | truncations).astype(float)
            batch.append(
                (inputs, masks, actions, chances[np.arange(matches), actions], values, rewards, ends)
            )
            results += rewards[terminations].tolist()
        _, _, last = evaluate(weights, add_one(observations / span), info["action_mask"] > 0)
        inputs, masks, actions, before, values, rewards, ends = map(np.stack, zip(*batch, strict=True))
        advantages = find_advantages(rewards, values, ends, last)
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        parts = (inputs, masks, actions, scaled, advantages + values, before)
        flat = [part.reshape(-1, *part.shape[2:]) for part in parts]
        for _ in range(EPOCHS):
            adam.update(weights, find_gradients(weights, *flat))
        if update % 20 == 0 or update == updates:
            print(f"update {update}: {np.mean(results[-4000:]):+.2f} a match against {opponents}")
    np.savez(output, span=span, **weights)
    print(f"wrote {output}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--matches", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("weights.npz"))
    given = parser.parse_args()
    train(**vars(given))
