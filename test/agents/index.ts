/**
 * Drives real agents against the scripted model: the contract of executors, interrupts, freezing,
 * secrets.
 *
 *   npm run test:agents                        those that are installed
 *   npm run test:agents -- --install           installs what is missing, into --dir
 *   npm run test:agents -- opencode claude     these alone
 *   npm run test:agents -- --dir ~/agents where they are (default: ~/.cache/svc-agents; not below
 *     /tmp, which a sandbox hides)
 *   npm run test:agents -- --only usage        cases whose title contains it
 *
 * What is not installed is left out and said so. The exit code is 1 when something failed, or when
 * nothing was tried.
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';
import type { Subject } from '../support/agents/executorContract/stage.ts';
import { chatCases } from '../support/agents/executorContract/chat.ts';
import { limitCases } from '../support/agents/executorContract/limits.ts';
import { steeringCases } from '../support/agents/executorContract/steering.ts';
import { workCases } from '../support/agents/executorContract/work.ts';
import { install } from './install.ts';
import { hostileCheckout } from './hostileCheckout.ts';
import { type AgentProgram, isInstalled, PROGRAMS } from './programs.ts';
import { type Figures, measureFrozenAgent, interruptAndSecrets, phaseTools } from './realCases.ts';
import {
  asksNothingElse,
  followsOurText,
  keyStaysOut,
  leavesNothing,
  readsAgentsFile,
} from './realUse.ts';
import { worksInSandbox } from './sandboxed.ts';
import { resumesWithServers, usesExternalServers, waitsForLongCall } from './externalServers.ts';
import { toolFlags } from '../../scripts/toolFlags.ts';

/**
 * Longest case, ms: starting some of these programs takes many seconds, and a case may start three.
 */
const CASE_MS = 300_000;

interface Case {
  title: string;
  // biome-ignore lint/suspicious/noConfusingVoidType: cases of the contract answer nothing
  run(): Promise<Figures | void>;
}

function listCases(program: AgentProgram, dir: string): Case[] {
  const subject: Subject = {
    name: program.id,
    missing: null,
    async open(modelUrl, config) {
      const executor = program.open(dir, modelUrl, config);
      return { ...executor, id: program.provider, run: (request) => executor.run(request) };
    },
    ownTools: program.ownTools,
    model: program.model,
    isProgram: true,
    reportsTries: program.reportsTries,
    // What broke off early it sometimes does not show.
    countsBroken: program.provider !== 'claude',
  };
  const cases: Case[] = [
    {
      title: 'an interrupt, a message after it, and no secret anywhere',
      run: () => interruptAndSecrets(program, dir),
    },
    {
      title: 'a list of tools is kept to, and the tools of the job are available',
      run: () => phaseTools(program, dir),
    },
    {
      title: 'nothing in a checkout runs, and no server of the agent is open',
      run: () => hostileCheckout(program, dir),
    },
    {
      title: 'the key of the model is in no command and no tool server, and is gone afterwards',
      run: () => keyStaysOut(program, dir),
    },
    {
      title: 'a session installs nothing, asks no registry and leaves next to nothing',
      run: () => leavesNothing(program, dir),
    },
    {
      title: 'AGENTS.md of the checkout reaches the model, once',
      run: () => readsAgentsFile(program, dir),
    },
    {
      title: 'our prompt exists once, and nothing of the program contradicts it',
      run: () => followsOurText(program, dir),
    },
    {
      title: 'nothing is asked beside the conversation, and its answers are not mixed',
      run: () => asksNothingElse(program, dir),
    },
    {
      title: 'a job of it works in the sandbox runtime, which reports what it refuses',
      run: () => worksInSandbox(program, dir),
    },
    {
      title: 'tool servers of a repository, good and bad',
      run: () => usesExternalServers(program, dir),
    },
    {
      title: 'tool servers after a crash of the runner',
      run: () => resumesWithServers(program, dir),
    },
    {
      title: 'tool servers: a call that takes two minutes',
      run: () => waitsForLongCall(program, dir),
    },
    {
      title: 'a frozen agent acknowledges nothing and is ended',
      run: () => measureFrozenAgent(program, dir),
    },
  ];
  const add = (title: string, run: () => Promise<void>) => void cases.push({ title, run });
  // Of a suite the cases use nothing but that it can be called.
  workCases(add as Test, subject);
  steeringCases(add as Test, subject);
  limitCases(add as Test, subject);
  if (program.holdsChats) {
    const { id, provider, model } = program;
    chatCases(add as Test, { name: id, provider, model, open: (url) => program.open(dir, url) });
  }
  return cases;
}

const line = (text: string) => process.stdout.write(`${text}\n`);

async function tryCase({ run }: Case): Promise<string | null> {
  let late: NodeJS.Timeout | undefined;
  const timer = new Promise<never>((_, reject) => {
    late = setTimeout(
      () => reject(new Error(`It did not end within ${CASE_MS / 1000} s.`)),
      CASE_MS,
    );
  });
  try {
    const figures = await Promise.race([run(), timer]);
    return Object.entries(figures ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join(', ');
  } finally {
    clearTimeout(late);
  }
}

async function lane(program: AgentProgram, dir: string): Promise<[passed: number, failed: number]> {
  let [passed, failed] = [0, 0];
  for (const one of listCases(program, dir).filter(({ title }) => title.includes(values.only))) {
    const reason = Object.entries(program.cannot).find(([title]) =>
      one.title.startsWith(title),
    )?.[1];
    if (reason !== undefined) {
      line(`  left out         ${one.title} (${reason})`);
      continue;
    }
    const startedAt = performance.now();
    try {
      const figures = await tryCase(one);
      passed += 1;
      line(
        `  ok    ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${one.title}${figures ? ` (${figures})` : ''}`,
      );
    } catch (error) {
      failed += 1;
      line(
        `  FAIL  ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${one.title}`,
      );
      line(`        ${error instanceof Error ? error.message : String(error)}`);
      if (error instanceof Error && 'actual' in error)
        line(`        It was ${JSON.stringify(error.actual)?.slice(0, 500)}.`);
    }
  }
  return [passed, failed];
}

const { values, positionals } = toolFlags({
  allowPositionals: true,
  options: {
    install: { type: 'boolean', default: false },
    dir: { type: 'string', default: join(homedir(), '.cache', 'svc-agents') },
    only: { type: 'string', default: '' },
  },
});
// Gemini CLI takes no settings below a folder that others can write to, such as /tmp.
const own = join(homedir(), '.cache', 'svc-agents-tmp');
mkdirSync(own, { recursive: true, mode: 0o700 });
const { TMPDIR } = process.env;
if (TMPDIR === undefined) process.env.TMPDIR = own;
const sum = [0, 0];
for (const program of PROGRAMS.filter(
  ({ id }) => positionals.length === 0 || positionals.includes(id),
)) {
  line(`${program.id} (${program.spec})`);
  if (!isInstalled(program, values.dir) && values.install) {
    const fault = install(program, values.dir);
    if (fault !== null) line(`  could not be installed: ${fault}`);
  }
  if (!isInstalled(program, values.dir)) {
    line(
      `  left out: it is not in ${join(values.dir, program.id)}. \`-- --install\` puts it there; that takes ${program.megabytes} MB.`,
    );
    continue;
  }
  const [passed, failed] = await lane(program, join(values.dir, program.id));
  sum[0] = (sum[0] ?? 0) + passed;
  sum[1] = (sum[1] ?? 0) + failed;
}
line(`${sum[0]} passed, ${sum[1]} failed`);
process.exit(sum[0] === 0 || sum[1] !== 0 ? 1 : 0);
