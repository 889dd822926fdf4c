import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSampleRepository } from '../../demo/sampleRepository.ts';
import { writeHome } from '../home.ts';
import { openJobKernel } from '../jobKernel.ts';
import { SILENT_PORTS, seedParked } from '../seedJobs.ts';

/** Jobs of the list, all of them parked. */
export const LISTED_JOBS = 20_000;
/** Jobs of the large list, which has a home of its own. */
export const MANY_JOBS = 100_000;

/** Jobs at work at once, whose agents write lines while keys are pressed. */
export const LIVE_JOBS = 40;

/** Path of the workflow whose chart is drawn, and its phases. */
export const LARGE_WORKFLOW = 'workflows/large.md';
export const LARGE_PHASES = 60;

/** Workflows whose agent writes as many lines as its request file asks for. */
export const TALKERS = ['scrolled', 'watched'] as const;
export type Talker = (typeof TALKERS)[number];

/** Where an agent looks how many lines it is to have said, all in all. */
export const toTalkerPath = (home: string, talker: Talker): string => join(home, `${talker}.lines`);

/** Lines of one burst of an agent, and what lies between two bursts, ms. */
const BURST_LINES = 40;
const BURST_MS = 10;

const talkerProgram = (requested: string): string => `
import { readFileSync } from 'node:fs';
let said = 0;
const wanted = () => { try { return Number(readFileSync(${JSON.stringify(requested)}, 'utf8')); } catch { return 0; } };
const tags = ['[control] ', '', '[tests] ', '', ''];
for (;;) {
  const until = Math.min(wanted(), said + ${BURST_LINES});
  let text = '';
  while (said < until) {
    said += 1;
    text += tags[said % 5] + 'line ' + said + ' of what an agent says while it reads, writes and runs the tests' + ' of the part'.repeat(said % 9) + '\\n';
  }
  process.stdout.write(text);
  await new Promise((resolve) => setTimeout(resolve, ${BURST_MS}));
}
`;

/** Path of the workflow whose agent posts a plan of 200 KB, and the steps of that plan. */
export const LONG_PLAN_WORKFLOW = 'workflows/long-plan.md';
export const LONG_PLAN_STEPS = 400;

const PLANNER = `
import { spawnSync } from 'node:child_process';
const words = 'Some words of *one* step, with \`code\` and a [link](https://example.org). '.repeat(6);
const steps = Array.from({ length: ${LONG_PLAN_STEPS} }, (_, n) => '## Step ' + (n + 1) + '\\n\\n' + words + '\\n\\n- one\\n- two\\n');
const input = JSON.stringify({ kind: 'plan-md', title: 'Long plan', content: '# Everything\\n\\n' + steps.join('\\n') });
const done = spawnSync('svc', ['tool', 'post_artifact', '-'], { input, encoding: 'utf8' });
if (done.status !== 0) throw new Error(done.stderr);
`;

/** As an author would write it: each phase leads to the next, every fifth also four back. */
const largeWorkflow = (): string => {
  const phases = Array.from(
    { length: LARGE_PHASES },
    (_, n) =>
      `  - { name: step-${n}, agent: agents/${n % 5 === 4 ? `back-${n - 4}` : 'bench'}.md, status: at-step-${n} }`,
  );
  return `---\ninitial_phase: step-0\ninitial_status: at-step-0\nphases:\n${phases.join('\n')}\n---\n\nA large workflow.\n`;
};

/** Path of the workflow whose agent opens a pull request, its repository, and the files it changes. */
export const WIDE_WORKFLOW = 'workflows/wide.md';
export const WIDE_REPO = 'titles';
export const WIDE_FILES = 1_000;

const WIDE_PROGRAM = `
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
const run = (program, args, input) => {
  const done = spawnSync(program, args, { input, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
};
const git = (...args) => run('git', ['-c', 'user.name=Agent', '-c', 'user.email=agent@svc.invalid', ...args]);
git('switch', '--quiet', '-c', 'wide');
for (let n = 0; n < ${WIDE_FILES}; n++) {
  mkdirSync('src/part-' + (n % 40), { recursive: true });
  const lines = Array.from({ length: 12 + (n % 30) }, (_, line) => 'export const value' + line + ' = read("name ' + n + '", ' + line + '); // what it is for');
  writeFileSync('src/part-' + (n % 40) + '/file-' + n + '.ts', lines.join('\\n') + '\\n');
}
git('add', '--all');
git('commit', '--quiet', '-m', 'Many files');
run('svc', ['tool', 'local_create_pr', '-'], JSON.stringify({ head: 'wide', title: 'Many files', body: '' }));
`;

export async function writeUiHome(home: string, jobs: number, model: string): Promise<void> {
  writeHome(home);
  const overlay = join(home, 'overlay');
  const write = (path: string, text: string) => {
    mkdirSync(join(overlay, path, '..'), { recursive: true });
    writeFileSync(join(overlay, path), text);
  };
  write(LARGE_WORKFLOW, largeWorkflow());
  for (let n = 4; n < LARGE_PHASES; n += 5)
    write(
      `agents/back-${n - 4}.md`,
      `---\ndescription: goes back\n---\n\nCall \`goto_phase({ "phase": "step-${n - 4}" })\`.\n`,
    );
  write(
    LONG_PLAN_WORKFLOW,
    '---\ninitial_phase: plan\ninitial_status: planning\nphases:\n  - { name: plan, agent: agents/planner.md, status: planning, interactive_checkpoint: true }\ncreateParams:\n  required: []\n---\n\nIts agent posts a plan.\n',
  );
  write(
    'agents/planner.md',
    "---\ndescription: plans\ncommand: [node, '{layer}/programs/planner.mjs']\n---\n\nPlans.\n",
  );
  write('programs/planner.mjs', PLANNER);
  write(
    WIDE_WORKFLOW,
    '---\ninitial_phase: work\ninitial_status: working\nphases:\n  - { name: work, agent: agents/wide.md, status: working }\ncreateParams:\n  required: [repo]\n---\n\nIts agent changes many files.\n',
  );
  write(
    'agents/wide.md',
    "---\ndescription: changes many files\ncommand: [node, '{layer}/programs/wide.mjs']\n---\n\nChanges many files.\n",
  );
  write('programs/wide.mjs', WIDE_PROGRAM);
  const repositories = join(home, 'repositories');
  mkdirSync(repositories);
  const config = {
    tenant: { overlay: { kind: 'localDir', path: overlay } },
    // Rows that leave a job at work take the others.
    runner: { maxConcurrentJobs: LIVE_JOBS + 8 },
    forges: { local: { repos: { [WIDE_REPO]: makeSampleRepository(repositories) } } },
    llm: { aliases: { planning: { provider: 'builtin', model: 'scripted' } } },
    plugins: {
      installed: {
        builtin: { config: { api: 'anthropic', baseUrl: model, apiKey: 'key', model: 'scripted' } },
      },
    },
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(config));
  for (const talker of TALKERS) {
    write(
      `workflows/${talker}.md`,
      `---\ninitial_phase: talk\ninitial_status: talking\nphases:\n  - { name: talk, agent: agents/${talker}.md, status: talking }\ncreateParams:\n  required: []\n---\n\nIts agent talks.\n`,
    );
    write(
      `agents/${talker}.md`,
      `---\ndescription: talks\ncommand: [node, '{layer}/programs/${talker}.mjs']\n---\n\nTalks on demand.\n`,
    );
    write(`programs/${talker}.mjs`, talkerProgram(toTalkerPath(home, talker)));
  }
  await using opened = await openJobKernel(home, SILENT_PORTS);
  await seedParked(opened.kernel, 0, jobs);
}
