import { playStorm } from './storm.ts';

/** `npm run storm -- --people 10000 --kills 200 --seed 1` */
const words = process.argv.slice(2);
const numberAfter = (name: string, usual: number) => {
  const index = words.indexOf(`--${name}`);
  return index < 0 ? usual : Number(words[index + 1]);
};

const result = await playStorm({
  people: numberAfter('people', 10_000),
  kills: numberAfter('kills', 200),
  seed: numberAfter('seed', 1),
  log: console.log,
});
const { problems, ...figures } = result;
console.log(JSON.stringify(figures, null, 2));
for (const problem of problems.slice(0, 50)) console.log(`PROBLEM: ${problem}`);
console.log(problems.length === 0 ? 'Everything adds up.' : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
