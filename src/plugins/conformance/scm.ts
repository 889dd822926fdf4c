import { mayAlwaysAct } from '../../base/concurrency/mayAct.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemoteForge } from '../../contract/forge/remoteForge.ts';
import type { PluginContext, PluginForge, PluginOf } from '../../contract/runner/plugin.ts';
import type { ScmPullRequest } from '../../contract/forge/scmForge.ts';
import { runGit } from '../../git/runGit.ts';
import { hasMark, addMark } from '../../git/marks.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import { createInstalledForge } from '../installedForge/forge.ts';
import { parseScm } from '../installedForge/scmAnswers.ts';
import { openPlugin } from '../openPlugin.ts';
import { parseHealth } from '../process/pluginAnswers.ts';
import type { ScmCall, ScmMethod, ScmReply } from '../process/protocol.ts';
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

interface ScmOptions {
  plugin: PluginOf<'scm'>;
  manifest: PluginManifest;
  context: PluginContext;
  /** Hosts of this machine and its network that git may reach; default none. */
  allowHosts?: readonly string[];
  dir: string;
}

const ELSEWHERE = 'https://elsewhere.invalid/acme/shop';
const NO_COMMIT = '0'.repeat(40);

/**
 * What every scm plugin promises, in the order of a pull request's life: later cases build on
 * earlier ones. They run on the test repository that the plugin names.
 */
export function createScmCases({
  plugin,
  manifest,
  context,
  allowHosts = [],
  dir,
}: ScmOptions): Case[] {
  const { samples } = plugin;
  /** Different in each run: branches of earlier runs stay in the repository. */
  const head = `svc-conformance-${context.clock.now().toString(36)}`;
  let pluginForge: PluginForge | null = null;
  const forge = async (): Promise<PluginForge> => {
    const config = samples?.config ?? context.config;
    pluginForge ??= await openPlugin(plugin, manifest, { ...context, config });
    return pluginForge;
  };
  const ask = async ({ method, args }: ScmCall): Promise<unknown> =>
    Reflect.apply((await forge())[method] ?? (() => {}), await forge(), args);
  /** Makes one call and checks the form of its answer. */
  const call = async <M extends ScmMethod>(
    method: M,
    reply: Promise<ScmReply<M>>,
  ): Promise<ScmReply<M>> => {
    const parsed = parseScm(method, await reply);
    if ('wrong' in parsed) throw new Fault(`${method}(): ${parsed.wrong}`);
    // The runner tolerates left-out parts; a plugin must not rely on that.
    const [first] = parsed.leftOut;
    if (first !== undefined) throw new Fault(`${method}(): ${first.why}`);
    return parsed.answer;
  };
  const sample = (): string => {
    if (samples?.repo !== undefined) return samples.repo;
    throw new SkipError('the plugin has no sample repository');
  };
  let remoteForge: RemoteForge | null = null;
  const useForge = async (): Promise<RemoteForge> => {
    const { createRepository, changes } = await forge();
    remoteForge ??= createInstalledForge({
      mayAct: mayAlwaysAct,
      id: manifest.id,
      clock: context.clock,
      perJob: Number.POSITIVE_INFINITY,
      ask,
      screen: (text) => text,
      onSecret: () => {},
      mirrorsDir: join(dir, 'mirrors'),
      selfIsPerson: false,
      allowHosts,
      can: { createRepo: createRepository !== undefined, changes: changes !== undefined },
      healthcheck: null,
    });
    return remoteForge;
  };
  let scmPullRequest: ScmPullRequest | null = null;
  const current = (): ScmPullRequest => {
    if (scmPullRequest) return scmPullRequest;
    throw new SkipError('see create-opens-pull-request');
  };
  const address = () => ({ repo: current().repo, number: current().number });
  const reread = async () => call('pullRequest', (await forge()).pullRequest(address()));
  /** A checkout of the test branch with its own commit. */
  const checkout = async (repo: string): Promise<string> => {
    const source = await (await useForge()).source(repo, { fresh: true });
    const work = join(dir, 'work');
    await runGit(['clone', '--quiet', source?.path ?? '', work], { fileProtocol: true });
    await runGit(['switch', '--quiet', '-c', head], { cwd: work });
    await writeFile(join(work, `${head}.txt`), 'From the conformance kit.\n');
    await runGit(['add', '--all'], { cwd: work });
    await runGit(['commit', '--quiet', '-m', 'From the conformance kit'], { cwd: work });
    return work;
  };

  return [
    {
      name: 'manifest-is-true',
      promise: 'It can be created and matches its manifest.',
      run: async () => void (await forge()),
    },
    createOffersCase(manifest, forge),
    {
      name: 'healthcheck-answers',
      promise: 'A health check returns { ok, detail }.',
      async run() {
        if (!manifest.offers?.includes('healthcheck')) throw new SkipError('not offered');
        const health: unknown = await (await forge()).healthcheck?.();
        expect(parseHealth(health) !== null, `it answered ${previewValue(health)}`);
      },
    },
    {
      name: 'account-has-name',
      promise: 'self() is the login of the account.',
      async run() {
        sample();
        await call('self', (await forge()).self());
      },
    },
    {
      name: 'unknown-repository-is-refused',
      promise: 'A repository that does not exist is an error with the code not-found.',
      async run() {
        const repo = `${sample()}-no-such-repository`;
        const thrown = await awaitRejection((await forge()).repository(repo), 'it was accepted');
        expect(
          readThrownCode(thrown) === 'not-found',
          `the error has the code ${previewValue(readThrownCode(thrown))}`,
        );
      },
    },
    {
      name: 'git-reaches-repository',
      promise: 'git can read from the address, with the login, that repository() returns.',
      async run() {
        const repo = sample();
        await call('repository', (await forge()).repository(repo));
        await (await useForge()).source(repo, { fresh: true });
      },
    },
    {
      name: 'address-names-repository',
      promise:
        'repositoryAt() knows the addresses that repository() returns, and neither its whole site nor another one.',
      async run() {
        const repo = sample();
        const one = await forge();
        const { repositoryAt } = one;
        if (repositoryAt === undefined) throw new SkipError('not offered');
        const at = (address: string) => call('repositoryAt', repositoryAt.call(one, address));
        const scmRepository = await call('repository', one.repository(repo));
        const own = [scmRepository.cloneUrl, scmRepository.url].filter((address) => address !== '');
        const others = [...own.map((address) => new URL('/', address).href), ELSEWHERE];
        for (const address of own) {
          const foundUrl = await at(address);
          expect(foundUrl === scmRepository.repo, `${address} is ${previewValue(foundUrl)}`);
        }
        for (const address of others) {
          const foundUrl = await at(address);
          expect(foundUrl === null, `${address} is ${previewValue(foundUrl)}`);
        }
      },
    },
    {
      name: 'create-opens-pull-request',
      promise:
        'createPullRequest opens one for the branch that git pushed; it is then in the list, with its whole text.',
      async run() {
        const repo = sample();
        const { pr } = await (await useForge()).write(
          'create_pr',
          {
            repo,
            head,
            base: '',
            title: 'From the conformance kit',
            body: 'To be merged by it.',
            checkoutDir: await checkout(repo),
            workItem: null,
          },
          { author: 'svc:conformance', at: context.clock.now(), operationId: head },
        );
        const listedPrs = await call('pullRequests', (await forge()).pullRequests(repo));
        const scmPullRequests = listedPrs.filter(({ number }) => number === pr?.number);
        expect(scmPullRequests.length === 1, `the list holds it ${scmPullRequests.length} times`);
        expect(
          hasMark(scmPullRequests[0]?.body ?? '', head),
          'its text does not end with what was written',
        );
        scmPullRequest = scmPullRequests[0] ?? null;
      },
    },
    {
      name: 'create-opens-no-second-one',
      promise:
        'While one is open for the same branches, another is an error with the code conflict.',
      async run() {
        const { repo, base } = current();
        const again = { repo, head, base, title: 'Again', body: '' };
        const thrown = await awaitRejection(
          (await forge()).createPullRequest(again),
          'it opened a second one',
        );
        expect(
          readThrownCode(thrown) === 'conflict',
          `the error has the code ${previewValue(readThrownCode(thrown))}`,
        );
      },
    },
    {
      name: 'diff-shows-change',
      promise: 'The diff names the files that differ.',
      async run() {
        const diff = await call('diff', (await forge()).diff(address()));
        expect(diff.includes(`${head}.txt`), `the diff is ${previewValue(diff)}`);
      },
    },
    {
      name: 'comment-is-read-back',
      promise:
        'A comment and its answer are in the pull request with the ids that were returned, and their whole text.',
      async run() {
        const to = address();
        const one = await call(
          'comment',
          (await forge()).comment({ ...to, body: addMark('One.', `${head}-1`), replyTo: null }),
        );
        const two = await call(
          'comment',
          (await forge()).comment({ ...to, body: addMark('Two.', `${head}-2`), replyTo: one.id }),
        );
        const { comments } = await reread();
        for (const [n, { id }] of [one, two].entries()) {
          const scmComments = comments.filter((comment) => comment.id === id);
          expect(scmComments.length === 1, `comment ${id} exists ${scmComments.length} times`);
          const isComplete = hasMark(scmComments[0]?.body ?? '', `${head}-${n + 1}`);
          expect(isComplete, `its text is ${previewValue(scmComments[0]?.body)}`);
        }
      },
    },
    {
      name: 'hindrances-are-lines',
      promise:
        'What hinders a merge is a list of lines, and a pull request without a hindrance has none.',
      async run() {
        const { hindrances } = await reread();
        if (hindrances === undefined) throw new SkipError('the plugin names no hindrances');
        expect(hindrances.length === 0, `they are ${previewValue(hindrances)}`);
      },
    },
    {
      name: 'changes-follow',
      promise:
        'The text of changes() is another one after a comment, and the same where nothing happened.',
      async run() {
        const one = await forge();
        const to = address();
        const read = async () => {
          if (one.changes === undefined) throw new SkipError('not offered');
          return (await call('changes', one.changes([to])))[0];
        };
        const [before, same] = [await read(), await read()];
        expect(before === same, `it changed from ${previewValue(before)} to ${previewValue(same)}`);
        await one.comment({ ...to, body: 'Three.', replyTo: null });
        expect((await read()) !== before, `it is still ${previewValue(before)}`);
      },
    },
    {
      name: 'merge-is-pinned',
      promise:
        'A merge of another commit than the newest is an error with the code conflict and merges nothing.',
      async run() {
        const wrongCommit = { ...address(), head: NO_COMMIT, message: 'Wrong' };
        const thrown = await awaitRejection((await forge()).merge(wrongCommit), 'it was merged');
        expect(
          readThrownCode(thrown) === 'conflict',
          `the error has the code ${previewValue(readThrownCode(thrown))}`,
        );
        const { state } = await reread();
        expect(state === 'open', `it is ${state}`);
      },
    },
    {
      name: 'merge-is-read-back',
      promise: 'A merge returns the merged pull request: when, by whom, and the commit.',
      async run() {
        const { headCommit } = await reread();
        expect(headCommit !== '', 'the newest commit is not reported');
        const merge = { ...address(), head: headCommit, message: 'From the conformance kit' };
        await call('merge', (await forge()).merge(merge));
        const { state, endedAt, endedBy, mergeCommit } = await reread();
        expect(
          state === 'merged' && endedAt !== null && mergeCommit !== null,
          `it is ${previewValue({ state, endedAt, mergeCommit })}`,
        );
        const me = await (await forge()).self();
        expect(endedBy?.login === me, `it was merged by ${previewValue(endedBy)}, not by ${me}`);
      },
    },
  ];
}
