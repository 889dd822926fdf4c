import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mayAlwaysAct } from '../../base/concurrency/mayAct.ts';
import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import type { ForgeChange, ForgeOperation, ForgeOperations } from '../../contract/forge/forge.ts';
import { createAccounts } from '../../providers/account/accounts.ts';
import { runGit } from '../../git/runGit.ts';
import type { BuiltInForgePlugin, OwnForge } from '../../contract/forge/builtInForge.ts';
import type { PluginContext } from '../../contract/runner/plugin.ts';
import { openForge } from '../openPlugin.ts';
import {
  readThrownCode,
  expect,
  awaitRejection,
  SkipError,
  previewValue,
  type Case,
} from './expect.ts';
import type { ReadOptions, TypedRows, Where } from '../../kernel/typedRows.ts';
import type { Tables } from '../../contract/records/tables.ts';

type Row = Record<string, unknown>;

/** Columns that identify a row of a forge's table; those that a table lacks do not count. */
const KEYS = ['repo', 'number', 'id'];
/** Further key of a table without ids: one approval per person. */
const AUTHOR_KEYED = 'forge_reviews';

/** The forge's tables in memory, for a forge that is tried without a store. */
class MemoryRows implements TypedRows<Tables> {
  readonly #tables = new Map<string, Map<string, Row>>();

  commit({ rows }: ForgeChange): void {
    for (const { table, row } of rows) {
      const keys = table === AUTHOR_KEYED ? [...KEYS, 'author'] : KEYS;
      const tableRows = this.#tables.get(table) ?? new Map<string, Row>();
      const columns: Row = { ...row };
      tableRows.set(JSON.stringify(keys.map((key) => columns[key])), columns);
      this.#tables.set(table, tableRows);
    }
  }

  all<Name extends keyof Tables>(
    table: Name,
    where: Where<Tables[Name]> = {},
    { order, desc = false, limit, offset = 0 }: ReadOptions<Tables[Name]> = {},
  ): Tables[Name][] {
    const rows = [...(this.#tables.get(table)?.values() ?? [])].filter((row) =>
      Object.entries(where).every(([column, value]) => row[column] === value),
    );
    const [by] = [order].flat();
    if (by !== undefined) {
      const column = String(by);
      rows.sort((a, b) => (Number(a[column]) - Number(b[column])) * (desc ? -1 : 1));
    }
    const page = rows.slice(offset, limit === undefined ? undefined : offset + limit);
    // Only `commit` fills a table, and it checks each row.
    return page.map((row) => ({ ...row }) as Tables[Name]);
  }

  one<Name extends keyof Tables>(
    table: Name,
    where: Where<Tables[Name]>,
  ): Tables[Name] | undefined {
    return this.all(table, where)[0];
  }

  count<Name extends keyof Tables>(table: Name, where: Where<Tables[Name]> = {}): number {
    return this.all(table, where).length;
  }
}

interface BuiltInForgeOptions {
  plugin: BuiltInForgePlugin;
  manifest: PluginManifest;
  context: PluginContext;
  dir: string;
}

const REPO = 'shop';
const HEAD = 'feature';

/** A bare repository with a branch that is one commit ahead of `main`. */
async function makeRepository(dir: string): Promise<string> {
  const work = join(dir, 'work');
  const bare = join(dir, 'shop.git');
  await mkdir(work, { recursive: true });
  const git = (...args: string[]) => runGit(args, { cwd: work, fileProtocol: true });
  await git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(work, 'README.md'), 'A shop.\n');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'Start');
  await git('switch', '--quiet', '-c', HEAD);
  await writeFile(join(work, 'feature.txt'), 'new\n');
  await git('add', '--all');
  await git('commit', '--quiet', '-m', 'A feature');
  await git('clone', '--quiet', '--bare', work, bare);
  await runGit(['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: bare });
  return bare;
}

/**
 * What every forge of svc promises, in the order of a pull request's life: later cases build on
 * earlier ones.
 */
export function createBuiltInForgeCases({
  plugin,
  manifest,
  context,
  dir,
}: BuiltInForgeOptions): Case[] {
  const rows = new MemoryRows();
  let ownForge: OwnForge | null = null;
  const forge = async (): Promise<OwnForge> => {
    ownForge ??= await openForge(plugin, manifest, {
      ...context,
      // Settings of a configured remote forge; it is only created, never called.
      config: { token: 'sample', ...context.config },
      rows,
      repos: { [REPO]: { path: await makeRepository(dir), defaultBranch: null } },
      mayAct: mayAlwaysAct,
      webUrl: (repo, number) => `http://127.0.0.1:1/${repo}/${number}`,
      remote: {
        openAccount: createAccounts({
          clock: context.clock,
          random: () => 0.5,
          fetch: globalThis.fetch,
          mayAct: mayAlwaysAct,
          // A conformance run holds sample settings, no secret.
          screen: (text) => text,
        }),
        mirrorsDir: join(dir, 'mirrors'),
      },
    });
    return ownForge;
  };
  /** A remote forge has no repository of ours to try things on. */
  const onLocal = async (): Promise<OwnForge> => {
    const ownForge = await forge();
    if (ownForge.capabilities.remote)
      throw new SkipError('it would write to repositories of a remote server');
    return ownForge;
  };
  const write = async <K extends ForgeOperation>(
    operation: K,
    args: ForgeOperations[K],
    operationId: string,
    author = 'conformance',
  ): Promise<ForgeChange> => {
    const change = await (await onLocal()).write(operation, args, {
      author,
      at: context.clock.now(),
      operationId,
    });
    rows.commit(change);
    return change;
  };
  const creation: ForgeOperations['create_pr'] = {
    repo: REPO,
    head: HEAD,
    base: '',
    title: 'A feature',
    body: 'It was missing.',
    checkoutDir: '',
    workItem: null,
  };
  let number = 0;

  return [
    {
      name: 'manifest-is-true',
      promise: 'It can be created and matches its manifest; its id is that of the manifest.',
      run: async () => void (await forge()),
    },
    {
      name: 'unknown-repository-is-refused',
      promise: 'A repository that it does not know is an error with the code not-found.',
      async run() {
        await onLocal();
        const thrown = await awaitRejection(
          write('create_pr', { ...creation, repo: 'no-such-repository' }, 'op-unknown'),
          'it was accepted',
        );
        expect(
          readThrownCode(thrown) === 'not-found',
          `the error has the code ${previewValue(readThrownCode(thrown))}`,
        );
      },
    },
    {
      name: 'create-opens-pull-request',
      promise: 'create_pr returns an open pull request, which is then in the list.',
      async run() {
        const { pr } = await write('create_pr', creation, 'op-create');
        expect(
          pr !== null && pr.state === 'open' && pr.head === HEAD,
          `it answered ${previewValue(pr)}`,
        );
        expect(
          pr.forge === manifest.id && pr.repo === REPO,
          `it belongs to ${pr.forge}:${pr.repo}`,
        );
        number = pr.number;
        const listedPr = (await (await forge()).pullRequests(REPO)).filter(
          (one) => one.number === number,
        );
        expect(listedPr.length === 1, `the list holds it ${listedPr.length} times`);
      },
    },
    {
      name: 'create-is-done-once',
      promise:
        'The same operation id, and the same branches while it is open, return the same pull request.',
      async run() {
        for (const operationId of ['op-create', 'op-create-again']) {
          const { pr } = await write('create_pr', creation, operationId);
          expect(pr?.number === number, `a repeat answered number ${pr?.number}, not ${number}`);
        }
      },
    },
    {
      name: 'diff-shows-change',
      promise: 'The diff names the files that differ.',
      async run() {
        const diff = await (await onLocal()).diff(REPO, number);
        expect(diff.includes('feature.txt'), `the diff is ${previewValue(diff)}`);
      },
    },
    {
      name: 'comment-is-done-once',
      promise:
        'A comment repeated under the same operation id exists once; it is reported as an event.',
      async run() {
        const first = await write(
          'post_pr_comment',
          { repo: REPO, number, body: 'Hello.' },
          'op-comment',
        );
        await write('post_pr_comment', { repo: REPO, number, body: 'Hello.' }, 'op-comment');
        const there = (await (await forge()).comments(REPO, number)).filter(
          ({ body }) => body === 'Hello.',
        );
        expect(there.length === 1, `it exists ${there.length} times`);
        expect(
          first.events.some(({ kind }) => kind === 'commented'),
          `the events were ${previewValue(first.events)}`,
        );
      },
    },
    {
      name: 'approve-is-reported',
      promise:
        'An approval by another account than the one that opened the pull request is reported as an event and shown.',
      async run() {
        const { events } = await write(
          'approve_pr',
          { repo: REPO, number },
          'op-approve',
          'reviewer',
        );
        expect(
          events.some(({ kind }) => kind === 'approved'),
          `the events were ${previewValue(events)}`,
        );
        const { approvals } = await (await forge()).pullRequest(REPO, number);
        expect(approvals.includes('reviewer'), `it is approved by ${previewValue(approvals)}`);
      },
    },
    {
      name: 'merge-is-done-once',
      promise:
        'A merge is reported as an event; repeated under the same operation id it returns the merged pull request.',
      async run() {
        const { events } = await write('merge_pr', { repo: REPO, number }, 'op-merge');
        expect(
          events.some(({ kind }) => kind === 'merged'),
          `the events were ${previewValue(events)}`,
        );
        const { pr } = await write('merge_pr', { repo: REPO, number }, 'op-merge');
        expect(pr?.state === 'merged', `the repeat answered ${previewValue(pr)}`);
        expect(
          (await (await forge()).pullRequest(REPO, number)).state === 'merged',
          'it is not shown as merged',
        );
      },
    },
  ];
}
