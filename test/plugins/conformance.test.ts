import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { goodAnswers } from '../support/decisions/aQuestion.ts';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/base/time/clock.ts';
import {
  BUILT_INS,
  localPlugin,
  REMOTE_FORGES,
  TRACKERS,
} from '../../src/plugins/builtInCatalogue.ts';
import { runConformance } from '../../src/plugins/conformance/runConformance.ts';
import {
  type Decider,
  definePlugin,
  type Issue,
  type IssueComment,
  type Plugin,
  type Tracker,
} from '../../src/contract/runner/plugin.ts';
import {
  type BuiltInForgePlugin,
  defineForge,
  type OwnForge,
} from '../../src/contract/forge/builtInForge.ts';
import { createGuardedRequest } from '../../src/plugins/guardedRequest.ts';
import { toPlugin } from '../../src/plugins/openPlugin.ts';
import { testPlugin } from '../../src/plugins/testPlugin.ts';
import type { PluginManifest } from '../../src/contract/schema/runner/plugin.ts';
import { SLACK } from '../support/forges/signedSenders.ts';
import { CAPABILITIES, greeter, PROGRAM, PluginHome } from '../support/pluginFolder.ts';

const test = suite('plugins conformance');

const executorManifest: PluginManifest = {
  contract: 1,
  id: 'it',
  kind: 'executor',
  title: 'It',
  entry: './index.js',
  capabilities: CAPABILITIES,
};
const createManifest = (
  kind: Plugin['kind'],
  offers: NonNullable<PluginManifest['offers']> = [],
): PluginManifest => ({
  offers,
  contract: 1,
  id: 'it',
  kind,
  title: 'It',
  entry: './index.js',
});

/**
 * Each case's name and outcome; details of those that failed.
 *
 * @param shortMs Longest short session, ms: little for plugins that never end one, plenty for those
 * that start a program on a busy machine.
 */
async function examinePlugin(
  plugin: Plugin | BuiltInForgePlugin,
  manifest: PluginManifest,
  shortMs = 1_000,
) {
  const dir = await mkdtemp(join(tmpdir(), 'svc-kit-'));
  try {
    const context = { config: {}, clock: systemClock, request: createGuardedRequest('sample', []) };
    const cases = await runConformance({ plugin, manifest, context, dir, shortMs });
    const listCases = (outcome: string) =>
      cases.filter((one) => one.outcome === outcome).map(({ name }) => name);
    return {
      failed: listCases('failed'),
      passed: listCases('passed'),
      skipped: listCases('skipped'),
      why: cases.find(({ outcome }) => outcome === 'failed')?.detail ?? '',
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** The executor that a source text is. */
async function loadExecutorPlugin(source: string): Promise<Plugin> {
  const module: { default: unknown } = await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  );
  return toPlugin(module.default, executorManifest);
}

test('the built-in executor and the built-in forge pass the kit that every plugin is tried with', async () => {
  for (const { manifest, plugin } of BUILT_INS.filter(
    (one) => ![...REMOTE_FORGES, ...TRACKERS].some((remote) => remote === one),
  )) {
    const { failed, passed, skipped, why } = await examinePlugin(plugin, manifest, 30_000);
    assert.equal(failed, [], manifest.id);
    assert.equal(why, '', manifest.id);
    // What asks a model, or a package that is not part of svc, has no sample that could be run
    // here.
    if (plugin.kind === 'executor' && !plugin.samples?.short) {
      assert.ok(passed.includes('manifest-is-true'), manifest.id);
      continue;
    }
    const notOffered = manifest.offers?.includes('healthcheck')
      ? ['models-answer']
      : ['healthcheck-answers', 'models-answer'];
    assert.equal(skipped, manifest.kind === 'executor' ? notOffered : []);
    assert.ok(passed.length >= 7, manifest.id);
  }
});

test('a remote forge is only made: the kit writes to no server; the contract suite tries it on one of ours', async () => {
  for (const { manifest, plugin } of REMOTE_FORGES) {
    const { failed, passed, skipped } = await examinePlugin(plugin, manifest, 30_000);
    assert.equal(failed, [], manifest.id);
    assert.equal(passed, ['manifest-is-true'], manifest.id);
    assert.equal(skipped.length, 7, manifest.id);
  }
});

test('a tracker that is built in is only made: the kit asks no server; the contract suite tries it on one of ours', async () => {
  for (const { manifest, plugin } of TRACKERS) {
    const { failed, passed, skipped } = await examinePlugin(plugin, manifest, 30_000);
    assert.equal(failed, [], manifest.id);
    assert.equal(passed, ['manifest-is-true'], manifest.id);
    assert.equal(skipped.length, 12, manifest.id);
  }
});

test('an executor that keeps every promise passes', async () => {
  const { failed, skipped } = await examinePlugin(
    await loadExecutorPlugin(greeter()),
    executorManifest,
  );
  assert.equal(failed, []);
  assert.equal(skipped, ['healthcheck-answers', 'models-answer']);
});

const RUN = 'async run(request) {';
const END = "{ stopReason: 'end_turn', error: null, usage: null }";
const FAULTS: readonly (readonly [name: string, find: string, replace: string, why: RegExp])[] = [
  ['manifest-is-true', '"skills":false', '"skills":true', /capabilities of the code do not match/],
  [
    'session-ends-with-result',
    `Promise.resolve(${END})`,
    "Promise.reject(new Error('no'))",
    /the result rejected with no/,
  ],
  [
    'session-ends-with-result',
    `Promise.resolve(${END})`,
    'new Promise(() => {})',
    /did not end within 1 s/,
  ],
  [
    'session-ends-with-result',
    END,
    "{ stopReason: 'finished' }",
    /the result has an invalid form: .*finished/,
  ],
  [
    'events-have-form',
    "line: 'hello '",
    "line: 'two\\nlines '",
    /this is not an event: .*two\\nlines/,
  ],
  [
    'silent-after-result',
    RUN,
    `${RUN} setTimeout(() => request.onEvent({ type: 'log', stream: 'stdout', line: 'late' }), 20);`,
    /1 events came after the result/,
  ],
  [
    'token-stays-secret',
    "'hello '",
    'request.tools.token',
    /the output of the session contains the token/,
  ],
  [
    'usage-adds-up',
    RUN,
    `${RUN} request.onEvent({ type: 'usage', usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 9 } });`,
    /the cache holds more than all input/,
  ],
  [
    'sessions-are-apart',
    RUN,
    `${RUN} globalThis.busy ??= 0; const alone = globalThis.busy++ === 0; setTimeout(() => globalThis.busy--, 5);
     if (!alone) return { result: Promise.resolve({ stopReason: 'error', error: 'busy', usage: null }), steering: null, end: async () => {} };
     await new Promise((go) => setTimeout(go, 10));`,
    /"error":"busy"/,
  ],
  [
    'steering-is-true',
    'steering: null, end: async () => {}',
    'steering: { close() {} }, end: async () => {}',
    /capabilities.steering is false, but a session has steering/,
  ],
  [
    'end-ends-session',
    'end: async () => end(',
    'end: async () => void (',
    /the session did not end within 4\.5 s/,
  ],
];

const USAGE = "{ type: 'usage', usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 0 } }";

test('an executor that begins a call before the report of the last one is taken is found out (JOB-16)', async () => {
  const source = greeter()
    .replace(
      '"systemPrompt":true',
      '"systemPrompt":true,"reportsUsage":"each-call","stopsBetweenCalls":true',
    )
    .replace(
      RUN,
      `${RUN} await Promise.all([request.onEvent(${USAGE}), request.onEvent(${USAGE})]);`,
    )
    .replace(
      END,
      "{ stopReason: 'end_turn', error: null, usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 0 } }",
    );
  const { failed } = await examinePlugin(await loadExecutorPlugin(source), {
    ...executorManifest,
    capabilities: { ...CAPABILITIES, reportsUsage: 'each-call', stopsBetweenCalls: true },
  });
  assert.equal(failed, ['stops-between-calls']);
});

test('an executor that ends by quota or by the death of its agent must say so', async () => {
  const endings = greeter().replace(
    "Promise.resolve({ stopReason: 'end_turn', error: null, usage: null })",
    'Promise.resolve({ stopReason: request.kickoff, error: "gone", usage: null, resetsAt: request.kickoff === "quota" ? 1 : null })',
  );
  const samples = (quota: string, death: string) =>
    endings.replace(
      'samples: {',
      `samples: { quota: { kickoff: '${quota}' }, death: { kickoff: '${death}' },`,
    );
  const late = await examinePlugin(
    await loadExecutorPlugin(samples('quota', 'died')),
    executorManifest,
  );
  assert.ok(late.failed.includes('quota-is-reported') && late.passed.includes('death-is-reported'));
  const wrong = await examinePlugin(
    await loadExecutorPlugin(samples('died', 'error')),
    executorManifest,
  );
  assert.ok(['quota-is-reported', 'death-is-reported'].every((one) => wrong.failed.includes(one)));
});

test('each seeded fault of an executor is found by the name of the promise that it breaks', async () => {
  for (const [name, find, replace, why] of FAULTS) {
    const source = greeter().replace(find, replace);
    assert.not.equal(source, greeter(), name);
    const result = await examinePlugin(await loadExecutorPlugin(source), executorManifest);
    assert.equal(result.failed, [name]);
    assert.match(result.why, why);
  }
});

test('parts that are offered and answer something else are found', async () => {
  const manifest: PluginManifest = { ...executorManifest, offers: ['models', 'healthcheck'] };
  const plugin = await loadExecutorPlugin(
    greeter("models: async () => 'all', healthcheck: async () => true,"),
  );
  assert.equal((await examinePlugin(plugin, manifest)).failed, [
    'healthcheck-answers',
    'models-answer',
  ]);
});

test('a plugin that hangs its process or ends it fails in the case at hand, and only there', async () => {
  using home = new PluginHome();
  const host = await home.host();
  const order = async (id: string, code: string) => {
    await host.install({ spec: home.executorTarball(id, code) });
    return {
      entry: join(home.pluginsDir, id, 'index.js'),
      manifest: { ...executorManifest, id },
      config: {},
      allowHosts: [],
    };
  };
  const base = {
    problem: null,
    program: PROGRAM,
    hostEnv: process.env,
    clock: systemClock,
    screen: (text: string) => text,
    silenceMs: 4_000,
  };
  const hanging = await testPlugin({
    ...base,
    order: await order('loop', greeter().replace(RUN, `${RUN} for (;;);`)),
  });
  assert.equal(hanging.passed, false);
  assert.equal(
    hanging.cases.map(({ name, outcome }) => `${name} ${outcome}`),
    ['manifest-is-true passed', 'session-ends-with-result failed'],
  );
  assert.match(hanging.cases.at(-1)?.detail ?? '', /an endless loop/);
  const leaving = await testPlugin({ ...base, order: await order('exit', 'process.exit(7)') });
  assert.equal(
    leaving.cases.map(({ name, outcome, detail }) => [name, outcome, detail]),
    [['plugin-loads', 'failed', "The plugin's process ended with exit code 7 without an answer."]],
  );
});

test('each seeded fault of a forge is found by the name of the promise that it breaks', async () => {
  const testBrokenForge = async (breaks: (forge: OwnForge) => Partial<OwnForge>) => {
    const plugin = defineForge({
      kind: 'scm',
      async create(context) {
        const forge = await localPlugin.plugin.create(context);
        return { ...forge, ...breaks(forge) };
      },
    });
    return (await examinePlugin(plugin, localPlugin.manifest)).failed;
  };
  let fresh = 0;
  assert.equal(await testBrokenForge(() => ({ id: 'other' })), ['manifest-is-true']);
  assert.equal(
    await testBrokenForge((forge) => ({
      write: (operation, args, actor) =>
        forge.write(
          operation,
          args,
          operation === 'post_pr_comment' ? { ...actor, operationId: `op-${++fresh}` } : actor,
        ),
    })),
    ['comment-is-done-once'],
  );
  assert.equal(
    await testBrokenForge((forge) => ({
      write: async (...call) => {
        const change = await forge.write(...call);
        return call[0] === 'approve_pr' ? { ...change, events: [] } : change;
      },
    })),
    ['approve-is-reported'],
  );
  assert.equal(await testBrokenForge(() => ({ diff: async () => '' })), ['diff-shows-change']);
});

type Offers = Pick<Tracker, 'issueAt' | 'commentIn'>;
interface SampleDelivery {
  comment?: IssueComment;
  own?: boolean;
}

/** Knows the addresses and deliveries of the tracker in memory. */
const OFFERS: Offers = {
  issueAt: async (address) => /^http:\/\/tracker\/(A-\d+)$/.exec(address)?.[1] ?? null,
  async commentIn(delivery) {
    const { comment, own = false }: SampleDelivery = Object(delivery);
    return comment === undefined ? null : { ...comment, key: 'A-1', own };
  },
};

/** A tracker in memory; `once` = it knows operations that it did. */
const createTrackerPlugin = (
  once: boolean,
  offers: Offers = {},
  before: IssueComment[] = [],
): Plugin =>
  definePlugin({
    kind: 'tracker',
    create() {
      const issue: Issue = {
        key: 'A-1',
        title: 'One',
        body: '',
        status: 'open',
        url: 'http://tracker/A-1',
      };
      const commentsByKey = new Map<string, IssueComment>();
      let serial = 0;
      const getIssue = (key: string): Issue => {
        if (key !== issue.key)
          throw Object.assign(new Error('no such issue'), { code: 'not-found' });
        return { ...issue };
      };
      return {
        ...offers,
        issue: async (key) => getIssue(key),
        comments: async () => [...before, ...commentsByKey.values()],
        search: async (_text, limit) => [issue].slice(0, limit),
        async comment(_key, body, operationId) {
          serial += 1;
          const at = '2026-01-01T00:00:00.000Z';
          const key = once ? operationId : String(serial);
          const comment = commentsByKey.get(key) ?? { id: String(serial), author: 'svc', body, at };
          commentsByKey.set(key, comment);
          return comment;
        },
        async transition(key, status) {
          if (status !== 'done') throw new Error('no such status');
          issue.status = status;
          return getIssue(key);
        },
      };
    },
    samples: {
      issue: 'A-1',
      status: 'done',
      delivery: (comment, own) => ({ comment, own }),
    },
  });

const createDeciderPlugin = (decide: Decider['decide']): Plugin =>
  definePlugin({ kind: 'decider', create: () => ({ decide }) });

test('trackers and deciders are tried as well: a good one passes, a seeded fault is named', async () => {
  assert.equal(
    (await examinePlugin(createTrackerPlugin(true), createManifest('tracker'))).failed,
    [],
  );
  assert.equal(
    (await examinePlugin(createTrackerPlugin(false), createManifest('tracker'))).failed,
    ['comment-is-written-once'],
  );
  const good = createDeciderPlugin(async ({ id, model }) => ({ id, model, answers: goodAnswers }));
  assert.equal((await examinePlugin(good, createManifest('decider'))).failed, []);
  const sure = createDeciderPlugin(async ({ id, model }) => ({
    id,
    model,
    answers: { ...goodAnswers, goal: { probability: 7 } },
  }));
  assert.equal((await examinePlugin(sure, createManifest('decider'))).failed, [
    'decision-has-form',
    'model-is-the-pinned-one',
    'text-changes-no-form',
  ]);
  const deaf = createDeciderPlugin(
    () => new Promise((resolve) => setTimeout(resolve, 1_500, null)),
  );
  assert.equal((await examinePlugin(deaf, createManifest('decider'))).failed, [
    'decision-has-form',
    'model-is-the-pinned-one',
    'text-changes-no-form',
    'abort-settles',
  ]);
});

test('a tracker that offers them is tried on addresses and deliveries; one that takes its own comments for those of others is named', async () => {
  const offering = (more: Offers) =>
    examinePlugin(
      createTrackerPlugin(true, { ...OFFERS, ...more }),
      createManifest('tracker', ['issueAt', 'commentIn']),
    );
  const cases = [
    'address-names-issue',
    'delivery-reports-comment',
    'own-comment-is-known',
    'other-delivery-is-nothing',
  ];
  assert.equal(
    (await examinePlugin(createTrackerPlugin(true), createManifest('tracker'))).skipped,
    ['healthcheck-answers', ...cases],
  );
  assert.equal((await offering({})).failed, []);
  const failedWith = async (more: Offers) => (await offering(more)).failed;
  const greedy: Offers = { issueAt: async (address) => address.split('/').at(-1) ?? null };
  assert.equal(await failedWith(greedy), ['address-names-issue']);
  const asForeign = OFFERS.commentIn;
  assert.equal(
    await failedWith({
      commentIn: async (delivery) => {
        const comment = (await asForeign?.(delivery)) ?? null;
        return comment && { ...comment, own: false };
      },
    }),
    ['own-comment-is-known'],
  );
  assert.equal(
    await failedWith({
      async commentIn(delivery) {
        const { comment, own }: SampleDelivery = Object(delivery);
        if (comment === undefined) throw new Error('not mine');
        return { ...comment, key: 'A-1', own: own === true };
      },
    }),
    ['other-delivery-is-nothing'],
  );
});

test('a tracker that takes the challenge of its sender for a comment is named', async () => {
  const commentIn: NonNullable<Offers['commentIn']> = async (delivery) =>
    Object(delivery).type === 'url_verification'
      ? { key: 'A-1', id: '1', author: 'ann', body: 'x', at: '2026-01-01T00:00:00Z', own: false }
      : ((await OFFERS.commentIn?.(delivery)) ?? null);
  const manifest = createManifest('tracker', ['issueAt', 'commentIn']);
  const plugin = createTrackerPlugin(true, { ...OFFERS, commentIn });
  assert.equal((await examinePlugin(plugin, manifest)).failed, []);
  assert.equal((await examinePlugin(plugin, { ...manifest, webhook: SLACK })).failed, [
    'other-delivery-is-nothing',
  ]);
});

test('an optional part that the manifest does not name is a fault: svc would never call it', async () => {
  const { failed } = await examinePlugin(
    createTrackerPlugin(true, OFFERS),
    createManifest('tracker', ['issueAt']),
  );
  assert.equal(failed, ['parts-are-offered']);
});

test('deliveries are about comments that exist, for a plugin that asks its server', async () => {
  const commentIds: string[] = [];
  const asking: Offers = {
    async commentIn(delivery) {
      const { comment, own = false }: SampleDelivery = Object(delivery);
      if (comment === undefined) return null;
      commentIds.push(comment.id);
      if (!['1', 'from-ann'].includes(comment.id)) throw new Error('no such comment');
      return { ...comment, key: 'A-1', own };
    },
  };
  const manifest = createManifest('tracker', ['commentIn']);
  const without = await examinePlugin(createTrackerPlugin(true, asking), manifest);
  assert.equal(without.failed, ['delivery-reports-comment']);
  assert.match(without.why, /no such comment \(The issue A-1 has no comment of another account/);
  commentIds.length = 0;
  const at = '2026-01-01T00:00:00.000Z';
  const ann = { id: 'from-ann', author: 'ann', body: 'Why?', at };
  assert.equal(
    (await examinePlugin(createTrackerPlugin(true, asking, [ann]), manifest)).failed,
    [],
  );
  assert.equal(commentIds, ['from-ann', '1']);
});

test.run();
