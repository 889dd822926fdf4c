import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AGENT_NAMES, type AgentConfig, agentConfig } from './agents.ts';
import { playCampaigns } from './campaignDemo.ts';
import { playJob } from './jobDemo.ts';
import { demoScripts } from './model/demoScripts.ts';
import { openModelServer } from './model/server.ts';
import type { Played } from './played.ts';
import { RunnerProcess } from './runnerProcess.ts';
import { makeSampleRepository, TEXTS_FILES } from './sampleRepository.ts';
import { Screen } from './screen.ts';
import { Stage } from './stage.ts';

const { values: flags } = parseArgs({
  options: {
    agent: { type: 'string' },
    program: { type: 'string' },
    campaign: { type: 'boolean', default: false },
    crash: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

/** Folder of the package: the built demo stands in dist/demo. */
const packageRoot = join(import.meta.dirname, '..', '..');

/** What is wrong with the flags; null = nothing. */
const wrongFlags = (): string | null => {
  if (flags.agent === undefined) return null;
  if (flags.campaign) return 'The agents of the campaign are programs: leave out --agent or --campaign.';
  if (!AGENT_NAMES.includes(flags.agent)) return `There is no agent ${flags.agent}; the demo knows ${AGENT_NAMES.join(', ')}.`;
  return flags.agent === 'acp:custom' && flags.program === undefined
    ? 'acp:custom is a program of yours: name its command line with --program.'
    : null;
};

/** The demo's agents name programs, which an agent of another kind would take for itself. */
const forgetPrograms = (agents: string): void => {
  for (const file of readdirSync(agents)) {
    const path = join(agents, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^command:.*\n/m, ''));
  }
};

/** `agent`: null = the programs that the demo's agents name. */
const writeHome = (dir: string, agent: AgentConfig | null): string => {
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const repos = flags.campaign
    ? { texts: makeSampleRepository(dir, 'texts', TEXTS_FILES) }
    : { titles: makeSampleRepository(dir) };
  const tenant = join(dir, 'tenant');
  cpSync(join(packageRoot, 'demo', 'intelligence'), tenant, { recursive: true });
  if (agent) forgetPrograms(join(tenant, 'agents'));
  const config = {
    ...{ tenant: { displayName: 'Demo', overlay: { kind: 'localDir', path: tenant } }, forges: { local: { repos } } },
    ...agent,
  };
  writeFileSync(join(home, 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return home;
};

const TITLE = {
  job: 'A runner of its own, a small repository with a failing test, one job of the default workflow.',
  campaign: 'A runner of its own, a small repository, one campaign of five sub-runs, two at a time; it halts on a failure.',
};

const main = async (): Promise<void> => {
  const startedAt = Date.now();
  const screen = new Screen(startedAt, flags.json);
  const dir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const model = flags.agent === undefined ? null : await openModelServer({ scripts: demoScripts });
  const agent = model && agentConfig(flags.agent ?? '', { model: model.url, program: flags.program ?? null });
  const home = writeHome(dir, agent);
  const runner = new RunnerProcess(home, join(packageRoot, 'cli', 'bin', 'run.js'));
  const stage = new Stage(runner, screen);
  try {
    screen.title(flags.campaign ? TITLE.campaign : TITLE.job);
    if (model) screen.say(`agent ${flags.agent}, with a model that plays scripts, at ${model.url}`);
    await runner.start();
    screen.say(`runner at ${runner.url}`);
    const more = join(packageRoot, 'demo', 'more.md');
    const played = await (flags.campaign
      ? playCampaigns(stage, flags.crash, more)
      : playJob(stage, flags.crash, agent ? 'agent' : 'programs'));
    summarise(played, runner.restarts, screen, startedAt, home);
    process.exitCode = played.ok ? 0 : 1;
  } finally {
    stage.close();
    await runner.stop();
    await model?.close();
    if (flags.json && !flags.keep) rmSync(dir, { recursive: true, force: true });
  }
};

const summarise = (played: Played, restarts: number, screen: Screen, startedAt: number, home: string): void => {
  const ms = Date.now() - startedAt;
  screen.plain(`
${played.headline} in ${(ms / 1000).toFixed(1)} s, ${restarts} restarts

${played.details}

To look further, start a runner on the same home and ask it:
  export SVC_HOME=${home}
  npx svc start --no-open &
${played.lookFurther.map((command) => `  ${command}`).join('\n')}`);
  if (flags.json) {
    process.stdout.write(`${JSON.stringify({ jobId: played.jobId, ...played.outcome, restarts, ms })}\n`);
  }
};

const wrong = wrongFlags();
if (wrong === null) await main();
else {
  process.stderr.write(`${wrong}\n`);
  process.exitCode = 2;
}
