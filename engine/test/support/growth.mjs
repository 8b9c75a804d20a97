/** How many times as long `run` takes for four times the size: about 4 if linear, 16 if quadratic. */
export function growth(run, size) {
  const best = (size) => Math.min(...Array.from({ length: 5 }, () => milliseconds(() => run(size))));
  return best(size * 4) / Math.max(best(size), 0.2);
}

function milliseconds(run) {
  const { user } = process.cpuUsage();
  run();
  return (process.cpuUsage().user - user) / 1000;
}
