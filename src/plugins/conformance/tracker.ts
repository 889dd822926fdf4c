import { mayAlwaysAct } from '../../base/concurrency/mayAct.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { createAccounts } from '../../providers/account/accounts.ts';
import type { PluginContext, PluginOf, Tracker } from '../../contract/runner/plugin.ts';
import { openPlugin } from '../openPlugin.ts';
import { parseHealth, parseKey, parseReported } from '../process/pluginAnswers.ts';
import {
  type Case,
  readThrownCode,
  expect,
  Fault,
  awaitRejection,
  SkipError,
  previewValue,
} from './expect.ts';
import { createOffersCase } from './offers.ts';

const ELSEWHERE = 'https://elsewhere.invalid/browse/ABC-1';
/** Payloads that anyone with the secret could sign and send. */
const OTHER_DELIVERIES: readonly unknown[] = [{}, [], null, 'ping', { event: 'conformance.ping' }];

/** The challenge of its sender: a control plane of an earlier release forwards it like an event. */
const createChallenges = ({ webhook }: PluginManifest): object[] =>
  webhook?.challenge === undefined
    ? []
    : [{ [webhook.challenge.member]: webhook.challenge.equals, [webhook.challenge.reply]: 'ping' }];

const COMMENT = 'From the conformance kit.';
const COMMENT_OPERATION = 'conformance-comment-1';
/** Why the delivery may name a comment that the server does not have. */
const explainNoOtherComment = (issue: string): string =>
  `(The issue ${issue} has no comment of another account than svc’s, so the delivery was about one that does not exist. If commentIn() asks the server, write one there.)`;

interface TrackerOptions {
  plugin: PluginOf<'tracker'>;
  manifest: PluginManifest;
  context: PluginContext;
}

export function createTrackerCases({ plugin, manifest, context }: TrackerOptions): Case[] {
  const { samples } = plugin;
  let openedTracker: Tracker | null = null;
  const tracker = async (): Promise<Tracker> => {
    openedTracker ??= await openPlugin(plugin, manifest, {
      ...context,
      config: samples?.config ?? context.config,
      remote: {
        openAccount: createAccounts({
          clock: context.clock,
          random: () => 0.5,
          fetch: globalThis.fetch,
          mayAct: mayAlwaysAct,
          // A conformance run holds sample settings, no secret.
          screen: (text) => text,
        }),
        // Settings of the plugin whose account it shares.
        readSettings: () => ({ token: 'sample' }),
      },
    });
    return openedTracker;
  };
  const sample = (): { issue: string; status: string } => {
    const { issue, status } = samples ?? {};
    if (issue === undefined || status === undefined)
      throw new SkipError('the plugin has no sample issue');
    return { issue, status };
  };

  /** The kit's comment; always the same one because of its operation id. */
  const writeComment = (openTracker: Tracker, key: string) =>
    openTracker.comment(key, COMMENT, COMMENT_OPERATION);

  /** What the plugin makes of the delivery about a comment. */
  const deliverComment = async (own: boolean) => {
    const { issue } = sample();
    const openTracker = await tracker();
    if (openTracker.commentIn === undefined) throw new SkipError('not offered');
    if (samples?.delivery === undefined) throw new SkipError('the plugin has no sample delivery');
    // Plugins whose deliveries only say where to look ask their server for the comment.
    const ownComment = await writeComment(openTracker, issue);
    const others = (await openTracker.comments(issue)).filter(
      ({ author }) => author !== ownComment.author,
    );
    const real = own ? ownComment : others.at(-1);
    const at = new Date(context.clock.now()).toISOString();
    const comment = real ?? { id: 'conformance-1', author: 'ann', body: COMMENT, at };
    const answer = await openTracker
      .commentIn(samples.delivery(comment, own))
      .catch((error: unknown) => {
        if (real) throw error;
        throw new Fault(`${toErrorMessage(error)} ${explainNoOtherComment(issue)}`);
      });
    const parsed = parseReported(answer);
    if (parsed === null) throw new Fault('commentIn() did not return a comment or null');
    return { said: parsed[0], comment, issue };
  };

  return [
    {
      name: 'manifest-is-true',
      promise: 'It can be created and matches its manifest.',
      run: async () => void (await tracker()),
    },
    createOffersCase(manifest, tracker),
    {
      name: 'healthcheck-answers',
      promise: 'A health check returns { ok, detail }.',
      async run() {
        if (!manifest.offers?.includes('healthcheck')) throw new SkipError('not offered');
        // Built-in trackers are asked where they are configured.
        if (manifest.entry === 'built-in') throw new SkipError('it is part of svc');
        const health: unknown = await (await tracker()).healthcheck?.();
        expect(parseHealth(health) !== null, `it answered ${previewValue(health)}`);
      },
    },
    {
      name: 'unknown-status-is-refused',
      promise: 'A status that cannot be reached is an error, and changes nothing.',
      async run() {
        const { issue: key } = sample();
        const openTracker = await tracker();
        const before = await openTracker.issue(key);
        await awaitRejection(
          openTracker.transition(key, 'no-such-status', 'conformance-transition-0'),
          'it took a status that does not exist',
        );
        const after = await openTracker.issue(key);
        expect(after.status === before.status, `the status became ${previewValue(after.status)}`);
      },
    },
    {
      name: 'issue-is-whole',
      promise: 'An issue has key, title, body, status and url, all text.',
      async run() {
        const { issue: key } = sample();
        const issue = await (await tracker()).issue(key);
        const texts = [issue.key, issue.title, issue.body, issue.status, issue.url];
        expect(
          texts.every((text) => typeof text === 'string') && issue.key === key,
          `it answered ${previewValue(issue)}`,
        );
      },
    },
    {
      name: 'unknown-issue-is-refused',
      promise: 'An issue that does not exist is an error with the code not-found.',
      async run() {
        sample();
        const thrown = await awaitRejection(
          (await tracker()).issue('NO-SUCH-ISSUE-0'),
          'it returned an issue that does not exist',
        );
        expect(
          readThrownCode(thrown) === 'not-found',
          `the error has the code ${previewValue(readThrownCode(thrown))}`,
        );
      },
    },
    {
      name: 'comment-is-written-once',
      promise:
        'A comment repeated under the same operation id exists once and gets the same answer as the first time.',
      async run() {
        const { issue: key } = sample();
        const openTracker = await tracker();
        const first = await writeComment(openTracker, key);
        const second = await writeComment(openTracker, key);
        expect(first.id === second.id, `the repeat made ${second.id} beside ${first.id}`);
        const there = (await openTracker.comments(key)).filter(({ id }) => id === first.id);
        expect(there.length === 1, `it exists ${there.length} times`);
      },
    },
    {
      name: 'transition-is-repeatable',
      promise: 'A transition returns the issue in its new status, also when it is repeated.',
      async run() {
        const { issue: key, status } = sample();
        const openTracker = await tracker();
        for (const _ of ['once', 'again']) {
          const issue = await openTracker.transition(key, status, 'conformance-transition-1');
          expect(issue.status === status, `the status was ${previewValue(issue.status)}`);
        }
      },
    },
    {
      name: 'address-names-issue',
      promise: 'issueAt() knows the address of an issue, and none of another site.',
      async run() {
        const openTracker = await tracker();
        const { key, url } = await openTracker.issue(sample().issue);
        if (openTracker.issueAt === undefined) throw new SkipError('not offered');
        if (url === '') throw new SkipError('the sample issue has no url');
        const at = async (address: string) => parseKey(await openTracker.issueAt?.(address))?.[0];
        const [foundKey, foreign] = [await at(url), await at(ELSEWHERE)];
        expect(foundKey === key, `${url} is ${previewValue(foundKey)}`);
        expect(foreign === null, `${ELSEWHERE} is ${previewValue(foreign)}`);
      },
    },
    {
      name: 'delivery-reports-comment',
      promise:
        'commentIn() returns the comment of a delivery: its issue, id, author and text; what others write is not svc’s own.',
      async run() {
        const { said, comment, issue: key } = await deliverComment(false);
        expect(said?.key === key && said.id === comment.id, `it answered ${previewValue(said)}`);
        expect(said.body === comment.body, `its text is ${previewValue(said.body)}`);
        expect(!said.own, 'it counts as svc’s own');
      },
    },
    {
      name: 'own-comment-is-known',
      promise: 'commentIn() says that a comment of svc’s account is its own.',
      async run() {
        const { said } = await deliverComment(true);
        expect(said?.own === true, `it answered ${previewValue(said)}`);
      },
    },
    {
      name: 'other-delivery-is-nothing',
      promise: 'commentIn() answers null for a delivery that reports no new comment.',
      async run() {
        const openTracker = await tracker();
        if (openTracker.commentIn === undefined) throw new SkipError('not offered');
        for (const delivery of [...OTHER_DELIVERIES, ...createChallenges(manifest)]) {
          const reportedComment = await openTracker.commentIn(delivery);
          expect(
            (reportedComment ?? null) === null,
            `${previewValue(delivery)} is ${previewValue(reportedComment)}`,
          );
        }
      },
    },
    {
      name: 'search-keeps-limit',
      promise: 'A search returns at most as many issues as requested.',
      async run() {
        sample();
        const issues = await (await tracker()).search('', 1);
        expect(Array.isArray(issues) && issues.length <= 1, `it answered ${previewValue(issues)}`);
      },
    },
  ];
}
