import assert from "node:assert/strict";

const TIMES = 4;
const MOST = 9; // times the processor time for four times the input; quadratic is 16
const ROUNDS = 12;
const WARM_UPS = 4; // until V8 has compiled it; a slow first run would hide growth
const NOISE_MILLISECONDS = 0.2;

/**
 * Fail if `run` takes over nine times the processor time for four times `size`.
 *
 * Both sizes take turns. Other work can only add to a measurement, so the fastest runs count,
 * and measuring ends when they are within the limit.
 */
export function assertLinear(run, size) {
  for (let round = 0; round < WARM_UPS; round++) run(size);
  let small = Infinity;
  let large = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    small = Math.min(small, milliseconds(() => run(size)));
    large = Math.min(large, milliseconds(() => run(size * TIMES)));
    if (large < MOST * Math.max(small, NOISE_MILLISECONDS)) return;
  }
  assert.fail(`${(large / small).toFixed(1)} times the time for ${TIMES} times the input`);
}

function milliseconds(run) {
  const { user } = process.cpuUsage();
  run();
  return (process.cpuUsage().user - user) / 1000;
}
