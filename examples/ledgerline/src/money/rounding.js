/**
 * The integer nearest to `dividend / divisor`. A tie goes to the even
 * neighbour, so that many roundings do not add up to a drift.
 *
 * @param {bigint} dividend
 * @param {bigint} divisor
 * @returns {bigint}
 */
export function divideHalfEven(dividend, divisor) {
  if (divisor === 0n) throw new RangeError('Division by zero');
  if (divisor < 0n) return divideHalfEven(-dividend, -divisor);

  let floor = dividend / divisor;
  let rest = dividend % divisor;
  if (rest < 0n) {
    floor -= 1n;
    rest += divisor;
  }
  const doubled = rest * 2n;
  const up = doubled > divisor || (doubled === divisor && floor % 2n !== 0n);
  return up ? floor + 1n : floor;
}
