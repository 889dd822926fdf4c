import type { PluginManifest } from '../../schema/plugin.ts';
import type { Decider, PluginContext, PluginOf } from '../../contract/plugin.ts';
import { openPlugin } from '../openPlugin.ts';
import { type Case, expect, shown, within } from './expect.ts';

/** How soon after its abort a decision must settle, ms. */
const SETTLE_MS = 1_000;
const DECIDE_MS = 10_000;

interface DeciderOptions {
  plugin: PluginOf<'decider'>;
  manifest: PluginManifest;
  context: PluginContext;
}

const QUESTION = {
  jobId: 'conformance-job-1',
  phase: 'coding',
  obligations: ['The tests pass.'],
  evidence: 'All 12 tests pass.',
};

/** What every decider promises. */
export function deciderCases({ plugin, manifest, context }: DeciderOptions): Case[] {
  let opened: Decider | null = null;
  const decider = async (): Promise<Decider> => {
    opened ??= await openPlugin(plugin, manifest, {
      ...context,
      config: plugin.samples?.config ?? context.config,
    });
    return opened;
  };

  return [
    {
      name: 'manifest-is-true',
      promise: 'It can be created and matches its manifest.',
      run: async () => void (await decider()),
    },
    {
      name: 'decision-has-form',
      promise: 'A decision is a score from 0 to 100 and a reason.',
      async run() {
        const decision = await within(
          DECIDE_MS,
          'it did not decide',
          (await decider()).decide(QUESTION, new AbortController().signal),
        );
        const { score, reason } = decision;
        expect(
          Number.isFinite(score) && score >= 0 && score <= 100,
          `the score was ${shown(score)}`,
        );
        expect(typeof reason === 'string' && reason !== '', `the reason was ${shown(reason)}`);
      },
    },
    {
      name: 'abort-settles',
      promise: 'A decision that is aborted settles within a second.',
      async run() {
        const abort = new AbortController();
        const decision = (await decider()).decide(QUESTION, abort.signal);
        abort.abort();
        await within(SETTLE_MS, 'it did not settle', Promise.allSettled([decision]));
      },
    },
  ];
}
