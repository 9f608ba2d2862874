-- each seat's score in every mix of chance of a deal; a bit of the mask says that a source is the partner's
SELECT unnest(range(first_deal, first_deal + deals)) AS deal, mix, seat, sources,
    unnest(masks) AS mask, unnest(scores) AS value
FROM luck WHERE cell_id = $cell
