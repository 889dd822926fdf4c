import { parseArgs } from 'node:util';
import { toErrorMessage } from '../src/base/errors/errors.ts';
import { AGENT_NAMES } from './agents.ts';

const OPTIONS = {
  agent: { type: 'string' },
  program: { type: 'string' },
  campaign: { type: 'boolean', default: false },
  crash: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  keep: { type: 'boolean', default: false },
  plan: { type: 'boolean', default: false },
  called: { type: 'string', default: 'npx svc' },
} as const;

const USAGE = `  --crash           kill the runner in the middle of the job
  --plan            begin with a chat that can only read
  --campaign        play two campaigns instead of one job
  --agent <name>    an agent with a scripted model: ${AGENT_NAMES.join(', ')}
  --program <line>  command line of acp:custom
  --json            one line of JSON at the end; the folder is removed
  --keep            keep the folder with --json
  --called <words>  how svc is called, for what is printed at the end; default: npx svc`;

const parseDemoArgs = (args: string[]) => parseArgs({ args, options: OPTIONS }).values;

export type DemoFlags = ReturnType<typeof parseDemoArgs>;

function explainFlagProblem({ agent, campaign, plan, program }: DemoFlags): string | null {
  if (plan && campaign) return 'A chat leads to one job: leave out --plan or --campaign.';
  if (agent === undefined) return null;
  if (campaign) return 'The agents of the campaign are programs: leave out --agent or --campaign.';
  if (!AGENT_NAMES.includes(agent))
    return `There is no agent ${agent}; the demo knows ${AGENT_NAMES.join(', ')}.`;
  return agent === 'acp:custom' && program === undefined
    ? 'acp:custom is a program of yours: name its command line with --program.'
    : null;
}

export function readDemoFlags(
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
