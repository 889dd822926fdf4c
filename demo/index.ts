import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toErrorMessage } from '../src/base/errors/errors.ts';
import { buildAgentConfig, MODEL, AGENT_NAMES, type AgentConfig } from './agents.ts';
import { playCampaigns } from './campaignDemo.ts';
import { runCloudDemo } from './cloud/cloudDemo.ts';
import { playJob } from './jobDemo.ts';
import { demoScripts } from './model/demoScripts.ts';
import { openModelServer } from './model/server.ts';
import { Stage, type PlayedDemo } from './stage.ts';
import { RunnerProcess } from './runnerProcess.ts';
import { makeSampleRepository, TEXTS_FILES } from './sampleRepository.ts';
import { Screen } from './screen.ts';
import { sendChatMessage } from '../src/api/client/intakeFrames.ts';
import { splitBlocks } from '../src/base/agents/hiddenBlocks.ts';
import type { Investigation } from '../src/contract/schema/planning/intake.ts';
import { parseArgs } from 'node:util';

const OPTIONS = {
  agent: { type: 'string' },
  program: { type: 'string' },
  campaign: { type: 'boolean', default: false },
  cloud: { type: 'boolean', default: false },
  crash: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  plan: { type: 'boolean', default: false },
  called: { type: 'string', default: 'npx svc' },
} as const;

const USAGE = `  --crash           kill the runner in the middle of the job; with --cloud another runner completes it
  --plan            begin with a chat that can only read
  --campaign        play two campaigns instead of one job
  --cloud           play a team: a control plane, three runners, and a job that waits for a label
  --agent <name>    an agent with a scripted model: ${AGENT_NAMES.join(', ')}
  --program <line>  command line of acp:custom
  --json            one line of JSON at the end; the folder is removed
  --keep            keep the folder with --json
  --called <words>  how svc is called, for what is printed at the end; default: npx svc`;

const parseDemoArgs = (args: string[]) => parseArgs({ args, options: OPTIONS }).values;

type DemoFlags = ReturnType<typeof parseDemoArgs>;

function explainFlagProblem(flags: DemoFlags): string | null {
  const { agent, campaign, cloud, keep, plan, program } = flags;
  if (cloud && (campaign || keep || plan || agent !== undefined))
    return 'The demo of a team is played as it is, and leaves nothing behind: leave out --cloud, or every other flag but --crash and --json.';
  if (plan && campaign) return 'A chat leads to one job: leave out --plan or --campaign.';
  if (agent === undefined) return null;
  if (campaign) return 'The agents of the campaign are programs: leave out --agent or --campaign.';
  if (!AGENT_NAMES.includes(agent))
    return `There is no agent ${agent}; the demo knows ${AGENT_NAMES.join(', ')}.`;
  return agent === 'acp:custom' && program === undefined
    ? 'acp:custom is a program of yours: name its command line with --program.'
    : null;
}

function readDemoFlags(
  args: string[],
): { flags: DemoFlags; wrong: null } | { flags: null; wrong: string } {
  try {
    const flags = parseDemoArgs(args);
    const wrong = explainFlagProblem(flags);
    return wrong === null ? { flags, wrong } : { flags: null, wrong };
  } catch (error) {
    const [sentence] = toErrorMessage(error).split('. To specify');
    return {
      flags: null,
      wrong: `${sentence}. The flags of the demo:\n${USAGE}`,
    };
  }
}

/** Longest turn before the demo gives up, ms. */
const LIMIT_MS = 60_000;
const SESSION = 'demo';
/** The name after the signs chooses the model's script. */
const QUESTION =
  'Why do the tests of titles fail, and what would it take to fix them? @@investigator';

async function playChat({ client, screen }: Stage): Promise<Investigation> {
  const body = { sessionId: SESSION, message: QUESTION, provider: 'builtin', model: MODEL };
  screen.say('plan mode: a model that can only read looks into the repository');
  const signal = AbortSignal.timeout(LIMIT_MS);
  for await (const { frame } of sendChatMessage({ client, signal }, body)) {
    if (frame.type === 'tool_end') screen.say(`    looked up ${frame.name} ${frame.target}`);
    if (frame.type === 'error') throw new Error(frame.message);
  }
  const session = await client.investigation(SESSION);
  const answer = splitBlocks(session.turns.at(-1)?.answer ?? '').visible.trim();
  for (const line of answer.split('\n')) screen.say(`    ${line}`);
  const { citations, findings } = session;
  screen.say(
    `findings, sha256 ${findings?.sha256.slice(0, 12)}; every place they cite is checked:`,
  );
  for (const { ref, verdict } of citations) screen.say(`    ${ref} ${verdict}`);
  screen.person('reads the findings and dispatches them as a job');
  return session;
}

/** Exit code at Ctrl-C. */
const INTERRUPTED = 130;

/** Folder of the package: the built demo is in dist/demo. */
const packageRoot = join(import.meta.dirname, '..', '..');

/** Removes the programs that the demo's agents name: an agent of another kind would run them. */
const forgetPrograms = (agents: string): void => {
  for (const file of readdirSync(agents)) {
    const path = join(agents, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^command:.*\n/m, ''));
  }
};

/** `agent`: null = the demo's programs; `chat`: what holds the chat, null = no chat. */
const writeHome = (
  dir: string,
  flags: DemoFlags,
  agent: AgentConfig | null,
  chat: AgentConfig | null,
): string => {
  const home = join(dir, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const repos = flags.campaign
    ? { texts: makeSampleRepository(dir, 'texts', TEXTS_FILES) }
    : { titles: makeSampleRepository(dir) };
  const tenant = join(dir, 'tenant');
  cpSync(join(packageRoot, 'demo', 'intelligence'), tenant, { recursive: true });
  if (agent) forgetPrograms(join(tenant, 'agents'));
  const config = {
    tenant: { displayName: 'Demo', overlay: { kind: 'localDir', path: tenant } },
    forges: { local: { repos } },
    ...agent,
    plugins: { installed: { ...chat?.plugins.installed, ...agent?.plugins.installed } },
  };
  writeFileSync(join(home, 'config.json'), `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return home;
};

const TITLE = {
  job: 'A runner of its own, a small repository with a failing test, one job of the default workflow.',
  campaign:
    'A runner of its own, a small repository, one campaign of five sub-runs, two at a time; it halts on a failure.',
};

const main = async (flags: DemoFlags): Promise<void> => {
  const startedAt = Date.now();
  const screen = new Screen(startedAt, flags.json);
  const dir = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  const needsModel = flags.plan || flags.agent !== undefined;
  const model = needsModel ? await openModelServer({ scripts: demoScripts }) : null;
  const agent =
    model && flags.agent !== undefined
      ? buildAgentConfig(flags.agent, { model: model.url, program: flags.program ?? null })
      : null;
  const chat =
    model && flags.plan ? buildAgentConfig('builtin', { model: model.url, program: null }) : null;
  const home = writeHome(dir, flags, agent, chat);
  const runner = new RunnerProcess(home, join(packageRoot, 'cli', 'bin', 'run.js'));
  const stage = new Stage(runner, screen);
  const clear = (): void => {
    if (flags.json && !flags.keep) rmSync(dir, { recursive: true, force: true });
  };
  process.once('SIGINT', () => {
    screen.plain(`\nStopped. ${describeRemoval(dir)}`);
    void runner.stop().finally(() => {
      clear();
      process.exit(INTERRUPTED);
    });
  });
  try {
    screen.title(flags.campaign ? TITLE.campaign : TITLE.job);
    if (agent && model)
      screen.say(`agent ${flags.agent}, with a model that plays scripts, at ${model.url}`);
    await runner.start();
    screen.say(`runner at ${runner.url}`);
    const more = join(packageRoot, 'demo', 'more.md');
    const played = await (flags.campaign
      ? playCampaigns(stage, flags.crash, more)
      : playJob(
          stage,
          flags.crash,
          agent ? 'agent' : 'programs',
          await playChatForFindings(stage, flags),
        ));
    summarise(played, flags, {
      restarts: runner.restarts,
      ms: Date.now() - startedAt,
      screen,
      dir,
      home,
    });
    process.exitCode = played.ok ? 0 : 1;
  } finally {
    stage.close();
    await runner.stop();
    await model?.close();
    clear();
  }
};

const playChatForFindings = async (stage: Stage, { plan }: DemoFlags) => {
  if (!plan) return {};
  const { sessionId, findings } = await playChat(stage);
  if (findings === null) throw new Error('The chat has no findings.');
  return { investigationId: sessionId, findingsSha: findings.sha256 };
};

interface DemoResult {
  restarts: number;
  ms: number;
  screen: Screen;
  dir: string;
  home: string;
}

const describeRemoval = (dir: string): string =>
  `Everything that the demo wrote is in one folder. To remove it: rm -rf ${dir}`;

const summarise = (
  played: PlayedDemo,
  flags: DemoFlags,
  { restarts, ms, screen, dir, home }: DemoResult,
): void => {
  screen.plain(`
${played.headline} in ${(ms / 1000).toFixed(1)} s, ${restarts} restarts

${played.details}

To look further, start a runner on the same home, open the link that it prints, and ask it:
  export SVC_HOME=${home}
  ${flags.called} start --no-open &
${played.lookFurther.map((words) => `  ${flags.called} ${words}`).join('\n')}

${describeRemoval(dir)}`);
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ jobId: played.jobId, ...played.outcome, restarts, ms })}\n`,
    );
  }
};

async function playCloud(flags: DemoFlags): Promise<void> {
  process.exitCode = await runCloudDemo(packageRoot, flags);
}

const { flags, wrong } = readDemoFlags(process.argv.slice(2));
if (wrong === null)
  await (flags.cloud ? playCloud(flags) : main(flags)).catch((error: unknown) => {
    process.stderr.write(`Error: ${toErrorMessage(error)}\n`);
    process.exitCode = 1;
  });
else {
  process.stderr.write(`${wrong}\n`);
  process.exitCode = 2;
}
