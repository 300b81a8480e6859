/**
 * Lets all contestants measure once in every round, forwards and backwards by turns, so that whatever
 * changes on the machine meanwhile changes all of them.
 *
 * @param contestants functions by name; each gives one sample, a record of numbers
 * @returns the samples of each contestant, by round
 */
export async function playRounds(bench, what, contestants) {
  const names = Object.keys(contestants);
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < bench.options.rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      bench.signal.throwIfAborted();
      bench.say(`${what}: round ${round + 1} of ${bench.options.rounds}, ${name}`);
      samples[name].push(await contestants[name]());
    }
  }
  return samples;
}
