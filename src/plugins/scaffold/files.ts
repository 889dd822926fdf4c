import { SvcError } from '../../lib/errors.ts';
import { PLUGIN_ID } from '../../schema/pluginId.ts';
import { PLUGIN_TYPES } from './pluginTypes.generated.ts';

const CAPABILITIES = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: true,
};

const packageJson = (id: string) => ({
  name: `svc-plugin-${id}`,
  version: '0.1.0',
  private: true,
  type: 'module',
  files: ['dist'],
  scripts: { build: 'tsc', test: 'node --test test/*.test.mjs' },
  devDependencies: { typescript: '6.0.3' },
  svc: {
    contract: 1,
    id,
    kind: 'executor',
    title: `The executor ${id}`,
    entry: './dist/index.js',
    capabilities: CAPABILITIES,
    offers: ['healthcheck', 'models'],
    settings: {
      greeting: { type: 'string', description: 'What a session says first.', default: 'Hello' },
    },
  },
});

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    // DOM: AbortSignal, without the types of Node.
    lib: ['ES2022', 'DOM'],
    module: 'NodeNext',
    strict: true,
    rootDir: 'src',
    outDir: 'dist',
    types: [],
  },
  include: ['src'],
};

const INDEX = `import { definePlugin, type SessionRequest, type SessionResult } from './contract.js';

/** A kickoff that never comes to its end; the conformance kit interrupts it. */
const WAIT = 'Wait until you are interrupted.';

export default definePlugin({
  kind: 'executor',

  create: ({ config }) => ({
    // The same as in package.json: the host compares them.
    capabilities: ${JSON.stringify(CAPABILITIES).replaceAll('"', '').replaceAll(':', ': ').replaceAll(',', ', ').replace('{', '{ ').replace('}', ' }')},

    async run(request) {
      let end: (result: SessionResult) => void = () => {};
      const result = new Promise<SessionResult>((resolve) => {
        end = resolve;
      });
      work(request, String(config.greeting)).then(
        () => end({ stopReason: 'end_turn', error: null, usage: null }),
        (error: unknown) => end({ stopReason: 'error', error: String(error), usage: null }),
      );
      return {
        result,
        // It is one turn and takes no messages meanwhile.
        steering: null,
        async end() {
          end({ stopReason: 'interrupted', error: null, usage: null });
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
async function work(request: SessionRequest, greeting: string): Promise<void> {
  await request.onEvent({ type: 'log', stream: 'stdout', line: \`\${greeting} from \${request.phase}.\` });
  const [first = ''] = request.kickoff.split('\\n');
  await request.onEvent({ type: 'log', stream: 'stdout', line: \`I was asked: \${first}\` });
  if (request.kickoff === WAIT) await new Promise(() => {});
}
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import plugin from '../dist/index.js';

const context = { config: { greeting: 'Hello' }, clock: { now: Date.now }, request: async () => ({ status: 200, text: '' }) };

test('a session greets and ends its turn', async () => {
  const executor = await plugin.create(context);
  const lines = [];
  const session = await executor.run({
    phase: 'coding',
    kickoff: 'Fix the gate.',
    onEvent: async (event) => lines.push(event.line),
  });
  assert.deepEqual(await session.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.deepEqual(lines, ['Hello from coding.', 'I was asked: Fix the gate.']);
});
`;

const readme = (id: string) => `# ${id}

An executor plugin of svc.

    npm install && npm run build && npm test
    svc plugin install .
    svc plugin test ${id}

A phase runs on it with \`provider: ${id}\` in the front matter of its workflow. Settings go into the configuration:

    "plugins": { "installed": { "${id}": { "config": { "greeting": "Good morning" } } } }
`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The files of a new plugin by path: TypeScript, a test, nothing to fetch but the compiler. Throws
 * SvcError `bad-argument`.
 */
export function scaffoldFiles(id: string): Readonly<Record<string, string>> {
  if (!PLUGIN_ID.test(id)) {
    throw new SvcError(
      'bad-argument',
      `"${id}" cannot be the id of a plugin. Use at most 40 characters a-z, 0-9 and "-", starting with a-z.`,
    );
  }
  return {
    'package.json': json(packageJson(id)),
    'tsconfig.json': json(TSCONFIG),
    'src/contract.ts': PLUGIN_TYPES,
    'src/index.ts': INDEX,
    'test/plugin.test.mjs': TEST,
    'README.md': readme(id),
  };
}
