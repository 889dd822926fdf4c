import { sendChatMessage } from '../src/api/client/intakeFrames.ts';
import { splitBlocks } from '../src/base/agents/hiddenBlocks.ts';
import type { Investigation } from '../src/contract/schema/planning/intake.ts';
import { MODEL } from './agents.ts';
import type { Stage } from './stage.ts';

/** Longest turn before the demo gives up, ms. */
const LIMIT_MS = 60_000;
const SESSION = 'demo';
/** The name after the signs chooses the model's script. */
const QUESTION =
  'Why do the tests of titles fail, and what would it take to fix them? @@investigator';

export async function playChat({ client, screen }: Stage): Promise<Investigation> {
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
