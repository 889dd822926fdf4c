/**
 * npm run bench:peers [-- --rounds 5] [--only bullmq,restate] [--work steps,wake] [--markdown | --json]
 *
 * Runs the same work with svc and with BullMQ, Restate, DBOS and graphile-worker by turns, each with
 * what survives a power loss, and prints medians, ranges and ratios svc / peer. Their packages are
 * installed outside of the tree, in ~/.cache/svc-peers; Redis (bullmq) and PostgreSQL (dbos,
 * graphile) come from the system. Every server is a process of this bench on a free port of the
 * loopback, with its data in a temporary folder.
 *
 * --work takes steps, wake, burst, memory and recovery. Linux only: memory is read from /proc.
 * Exit code 1 when a target was missed or a round failed, 2 for a wrong flag.
 */
import { resolve } from 'node:path';
import { toolFlags } from '../../scripts/toolFlags.ts';
import { Lab } from '../lab.ts';
import { bullmq } from './bullmq/peer.ts';
import type { Contender } from './contender.ts';
import { dbos } from './dbos/peer.ts';
import { FIGURES, WORKS, type Work } from './figures.ts';
import { graphile } from './graphile/peer.ts';
import { install } from './install.ts';
import { loadNow, machineFacts, refuseMemoryDisk, versionFacts } from './machine.ts';
import { formatJson, formatMarkdown, type Report, listVerdicts } from './report.ts';
import { restate } from './restate/peer.ts';
import { runRounds } from './rounds.ts';
import { svc } from './svc.ts';

const PEERS: readonly Contender[] = [bullmq, restate, dbos, graphile];
const ROUNDS = 5;

const { values: flags } = toolFlags({
  options: {
    rounds: { type: 'string', default: String(ROUNDS) },
    only: { type: 'string' },
    work: { type: 'string' },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});

function refuse(line: string): never {
  console.error(line);
  process.exit(2);
}

/** The entries of a list with the given names; all of them if no names are given. */
function chooseItems<Item>(
  flag: string,
  text: string | undefined,
  items: readonly Item[],
  describeItem: (item: Item) => string,
): Item[] {
  const names = items.map(describeItem);
  const chosenNames = text?.split(',') ?? names;
  const unknown = chosenNames.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    refuse(`Unknown ${flag} ${unknown.join(', ')}. Known: ${names.join(', ')}`);
  return items.filter((item) => chosenNames.includes(describeItem(item)));
}

const peers = chooseItems('peer', flags.only, PEERS, ({ name }) => name);
const works: Work[] = chooseItems('work', flags.work, WORKS, (work) => work);
const rounds = Number(flags.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  refuse(`--rounds takes a number from 1 on, not ${flags.rounds}`);

const note = (line: string) => console.error(`  ${line}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.chdir(resolve(import.meta.dirname, '../..'));
const lab = new Lab();
process.on('exit', () => lab.close());
try {
  refuseMemoryDisk();
  for (const { name } of peers) install(name, note);
  const facts = [...machineFacts(lab), versionFacts(peers.map(({ name }) => name))];
  for (const fact of facts) note(fact);
  const run = await runRounds({ contenders: [svc, ...peers], works, rounds }, lab, note);
  const figureNames = FIGURES.filter(({ work }) => works.includes(work)).map(({ name }) => name);
  const report: Report = {
    facts: [...facts, `${rounds} rounds; load after: ${loadNow()}`],
    rounds: Object.fromEntries(
      figureNames.flatMap((name) => (run.rounds[name] ? [[name, run.rounds[name]]] : [])),
    ),
    failures: run.failures,
  };
  console.log(flags.json ? formatJson(report) : formatMarkdown(report));
  if (run.failures.length > 0 || listVerdicts(report).some(({ reached }) => reached === 'missed'))
    process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
