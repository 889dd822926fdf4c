import { type ScaffoldKind, TEST_HEAD } from './kind.ts';

const CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: true,
};

const INDEX = `import { setTimeout as wait } from 'node:timers/promises';
import { definePlugin, type SessionRequest, type SessionResult } from './contract.js';

/** A kickoff that does not end by itself; the conformance kit interrupts it. */
const WAIT = 'Wait until you are interrupted.';
const HOUR_MS = 3_600_000;

export default definePlugin({
  kind: 'executor',

  create: ({ config }) => ({
    // The same as in package.json: svc compares them.
    capabilities: {
      steering: false,
      foldMidTurn: false,
      cancelsToolCalls: false,
      resume: false,
      skills: false,
      systemPrompt: true,
    },

    async run(request) {
      const stop = new AbortController();
      const result = work(request, String(config.greeting), stop.signal).then(
        (): SessionResult => ({ stopReason: 'end_turn', error: null, usage: null }),
        (error: unknown): SessionResult =>
          stop.signal.aborted
            ? { stopReason: 'interrupted', error: null, usage: null }
            : { stopReason: 'error', error: String(error), usage: null },
      );
      return {
        result,
        // It is one turn and takes no messages meanwhile.
        steering: null,
        async end() {
          stop.abort();
          await result;
        },
      };
    },

    async healthcheck() {
      return { ok: true, detail: 'It greets.' };
    },

    async models() {
      return [{ id: 'polite', title: 'The polite one' }];
    },
  }),

  samples: { short: { kickoff: 'Say hello.' }, long: { kickoff: WAIT } },
});

/** Where your agent runs. This one says hello and what it was asked. */
async function work(
  request: SessionRequest,
  greeting: string,
  signal: AbortSignal,
): Promise<void> {
  const say = (line: string) => request.onEvent({ type: 'log', stream: 'stdout', line });
  await say(\`\${greeting} from \${request.phase}.\`);
  const [first = ''] = request.kickoff.split('\\n');
  await say(\`I was asked: \${first}\`);
  if (request.kickoff === WAIT) await wait(HOUR_MS, undefined, { signal });
}
`;

const TEST = `${TEST_HEAD}
const executor = await plugin.create({ config: { greeting: 'Hello' } });

const start = async (kickoff) => {
  const lines = [];
  const onEvent = async (event) => lines.push(event.line);
  return { lines, session: await executor.run({ phase: 'coding', kickoff, onEvent }) };
};

test('a session greets and ends its turn', async () => {
  const { lines, session } = await start('Fix the gate.');
  assert.deepEqual(await session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.deepEqual(lines, ['Hello from coding.', 'I was asked: Fix the gate.']);
});

test('a session that is ended was interrupted', async () => {
  const { session } = await start(plugin.samples.long.kickoff);
  await session.end(1_000);
  assert.equal((await session.result).stopReason, 'interrupted');
});
`;

export const EXECUTOR: ScaffoldKind = {
  noun: 'The executor',
  manifest: {
    capabilities: CAPABILITIES,
    offers: ['healthcheck', 'models'],
    settings: {
      greeting: { type: 'string', description: 'What a session says first.', default: 'Hello' },
    },
  },
  index: INDEX,
  test: TEST,
  use: 'A phase runs on it with `provider: ID` in the front matter of its workflow.',
  config: { greeting: 'Good morning' },
};
