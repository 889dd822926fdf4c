import type { Session, SessionEvent, Steering } from '../../contract/session/executor.ts';
import { isWholeCount } from '../../base/spending/parseTokenCounts.ts';
import { addUsage, isPartOfInput, NO_USAGE } from '../../base/spending/usageSum.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type {
  ExecutorSamples,
  PluginContext,
  PluginExecutor,
  PluginOf,
} from '../../contract/runner/plugin.ts';
import { openPlugin } from '../openPlugin.ts';
import {
  parsePluginEvent,
  parseHealth,
  parsePluginModels,
  parseResult,
} from '../process/pluginAnswers.ts';
import { createEndingCases } from './executorEndings.ts';
import { createMeteringCases } from './executorMetering.ts';
import { SHORT_MS, createSampleRequest, TOKEN } from './sampleRequest.ts';
import { type Case, expect, Fault, SkipError, previewValue, awaitWithin } from './expect.ts';

/** Grace period of an interrupt, and the further time until the session must end, ms. */
const [GRACE_MS, END_MS] = [500, 4_000];
/** How long the kit watches for events after the result, ms. */
const QUIET_MS = 200;

interface ExecutorOptions {
  plugin: PluginOf<'executor'>;
  manifest: PluginManifest;
  context: PluginContext;
  dir: string;
  /** Longest short session, ms; default {@link SHORT_MS}. */
  shortMs?: number;
}

interface TriedSession {
  events: SessionEvent[];
  session: Session;
}

const awaitShortAnswer = (answer: unknown): Promise<unknown> =>
  awaitWithin(SHORT_MS, 'it did not answer', Promise.resolve(answer));

export function createExecutorCases({
  plugin,
  manifest,
  context,
  dir,
  shortMs = SHORT_MS,
}: ExecutorOptions): Case[] {
  const { samples = {} } = plugin;
  let openedExecutor: PluginExecutor | null = null;
  const executor = async (): Promise<PluginExecutor> => {
    openedExecutor ??= await openPlugin(plugin, manifest, {
      ...context,
      config: samples.config ?? context.config,
    });
    return openedExecutor;
  };
  let serial = 0;
  /** Its short sessions do not end, so later cases do not wait for another one. */
  let broken = false;
  const start = async (
    sample: ExecutorSamples['short'],
    take: (event: SessionEvent) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<TriedSession> => {
    if (sample === undefined) throw new SkipError('the plugin has no such sample');
    if (broken && sample === samples.short) throw new SkipError('see session-ends-with-result');
    serial += 1;
    const events: SessionEvent[] = [];
    const request = await createSampleRequest(dir, serial, sample, (event) => {
      events.push(event);
      return take(event);
    });
    return { events, session: await (await executor()).run(request) };
  };
  const endSession = ({ session }: TriedSession) => {
    // Closes the input, so that the session ends after its turn.
    session.steering?.close();
    return awaitWithin(shortMs, 'the session did not end', session.result);
  };
  const startSteered = async (): Promise<TriedSession & { steering: Steering }> => {
    const triedSession = await start(samples.long);
    const { steering } = triedSession.session;
    if (!steering) throw new Fault('see steering-is-true');
    return { ...triedSession, steering };
  };

  const steeringCases: Case[] = [
    {
      name: 'interrupt-ends-turn',
      promise: 'An interrupt is acknowledged, ends the turn and not the session; close ends that.',
      async run() {
        const { events, session, steering } = await startSteered();
        const acknowledged = await awaitWithin(
          END_MS,
          'the interrupt was not answered',
          steering.interrupt(END_MS),
        );
        expect(
          acknowledged === true,
          `the interrupt was answered with ${previewValue(acknowledged)}`,
        );
        const early = await Promise.race([
          session.result,
          new Promise((resolve) => setTimeout(resolve, QUIET_MS, null)),
        ]);
        expect(early === null, `the interrupt ended the session: ${previewValue(early)}`);
        const turns = events.filter((event) => event.type === 'turn');
        expect(
          turns.length === 1 && turns[0]?.stopReason === 'interrupted',
          `its turns were ${previewValue(turns)}`,
        );
        steering.close();
        const result = await awaitWithin(END_MS, 'the closed session did not end', session.result);
        expect(result.stopReason === 'interrupted', `the stop reason was ${result.stopReason}`);
      },
    },
  ];

  return [
    {
      name: 'manifest-is-true',
      promise: 'It can be created and matches its manifest: kind, capabilities, offers.',
      run: async () => void (await executor()),
    },
    {
      name: 'session-ends-with-result',
      promise: 'A session ends with { stopReason, error, usage }, and its result never rejects.',
      async run() {
        const triedSession = await start(samples.short);
        broken = true;
        const result = await endSession(triedSession).catch((error: unknown) => {
          throw error instanceof Fault
            ? error
            : new Fault(`the result rejected with ${toErrorMessage(error)}`);
        });
        expect(
          parseResult(result) !== null,
          `the result has an invalid form: ${previewValue(result)}`,
        );
        expect(
          result.stopReason === 'end_turn',
          `the short session ended with ${result.stopReason}: ${result.error}`,
        );
        broken = false;
      },
    },
    {
      name: 'events-have-form',
      promise:
        'Every event matches the contract; lines contain no line breaks, usage is whole numbers.',
      async run() {
        const triedSession = await start(samples.short);
        await endSession(triedSession);
        const odd = triedSession.events.find(
          (event) =>
            parsePluginEvent(event) === null ||
            (event.type === 'usage' && !Object.values(event.usage).every(isWholeCount)) ||
            (event.type === 'log' && /[\r\n]/.test(event.line)),
        );
        expect(odd === undefined, `this is not an event: ${previewValue(odd)}`);
      },
    },
    {
      name: 'usage-adds-up',
      promise:
        'inputTokens is all input: what was read from and written to a cache is part of it; the result is the sum of the events.',
      async run() {
        const triedSession = await start(samples.short);
        const { usage } = await endSession(triedSession);
        const reportedUsage = triedSession.events.flatMap((event) =>
          event.type === 'usage' && event.source !== 'estimated' ? [event.usage] : [],
        );
        if (reportedUsage.length === 0 && usage === null) return;
        const odd = reportedUsage.find((one) => !isPartOfInput(one));
        expect(odd === undefined, `the cache holds more than all input: ${previewValue(odd)}`);
        const sum = reportedUsage.reduce((all, one) => addUsage(all, one), NO_USAGE);
        const whole = addUsage(usage, NO_USAGE);
        expect(
          JSON.stringify(whole) === JSON.stringify(sum),
          `the result is ${previewValue(usage)}, the sum of the events ${previewValue(sum)}`,
        );
      },
    },
    {
      name: 'silent-after-result',
      promise: 'After the result there are no more events.',
      async run() {
        const triedSession = await start(samples.short);
        await endSession(triedSession);
        const before = triedSession.events.length;
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
        expect(
          triedSession.events.length === before,
          `${triedSession.events.length - before} events came after the result`,
        );
      },
    },
    {
      name: 'token-stays-secret',
      promise: 'The token of the tool server appears neither in events nor in the result.',
      async run() {
        const triedSession = await start(samples.short);
        const result = await endSession(triedSession);
        expect(
          !JSON.stringify([triedSession.events, result]).includes(TOKEN),
          'the output of the session contains the token',
        );
      },
    },
    {
      name: 'sessions-are-apart',
      promise: 'Two sessions at once both end, each with a result of its own.',
      async run() {
        const both = await Promise.all([start(samples.short), start(samples.short)]);
        const results = await Promise.all(both.map(endSession));
        expect(
          results.every((result) => result.stopReason === 'end_turn'),
          `they ended with ${previewValue(results)}`,
        );
      },
    },
    {
      name: 'steering-is-true',
      promise: 'A session can be steered exactly if the capabilities declare it.',
      async run() {
        const pluginExecutor = await executor();
        const triedSession = await start(samples.short);
        await endSession(triedSession);
        // Untyped code may leave it out.
        const is = Boolean(triedSession.session.steering);
        expect(
          is === pluginExecutor.capabilities.steering,
          `capabilities.steering is ${pluginExecutor.capabilities.steering}, but a session has ${is ? '' : 'no '}steering`,
        );
      },
    },
    ...(manifest.capabilities?.steering ? steeringCases : []),
    ...createMeteringCases(manifest.capabilities ?? {}, async (take) =>
      endSession(await start(samples.short, take)),
    ),
    ...createEndingCases(samples, async (one) => endSession(await start(one)), context.clock.now),
    {
      name: 'end-ends-session',
      promise:
        'A session that is ended is over soon after the grace, with the stop reason interrupted.',
      async run() {
        const triedSession = await start(samples.long);
        const early = await Promise.race([
          triedSession.session.result,
          new Promise((resolve) => setTimeout(resolve, QUIET_MS, null)),
        ]);
        expect(early === null, `the long session ended by itself: ${previewValue(early)}`);
        void triedSession.session.end(GRACE_MS);
        const result = await awaitWithin(
          GRACE_MS + END_MS,
          'the session did not end',
          triedSession.session.result,
        );
        expect(result.stopReason === 'interrupted', `the stop reason was ${result.stopReason}`);
      },
    },
    {
      name: 'healthcheck-answers',
      promise: 'healthcheck() answers { ok, detail } within 10 s.',
      async run() {
        const pluginExecutor = await executor();
        if (!manifest.offers?.includes('healthcheck')) throw new SkipError('not offered');
        const answer = await awaitShortAnswer(pluginExecutor.healthcheck?.());
        expect(parseHealth(answer) !== null, `it answered ${previewValue(answer)}`);
      },
    },
    {
      name: 'models-answer',
      promise: 'models() returns a list of { id, title } within 10 s.',
      async run() {
        const pluginExecutor = await executor();
        if (!manifest.offers?.includes('models')) throw new SkipError('not offered');
        const answer = await awaitShortAnswer(pluginExecutor.models?.());
        expect(parsePluginModels(answer) !== null, `it answered ${previewValue(answer)}`);
      },
    },
  ];
}
