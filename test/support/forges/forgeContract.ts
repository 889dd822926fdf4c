import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  Forge,
  ForgeActor,
  ForgeChange,
  ForgeOperation,
  ForgeOperations,
} from '../../../src/contract/forge/forge.ts';
import type { ReviewComment, ReviewWrite } from '../../../src/contract/forge/review.ts';
import { isRemote } from '../../../src/contract/forge/remoteForge.ts';
import { listConflictFiles } from '../../../src/forges/reviews/loadJobPullRequest.ts';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { readRepository } from '../../../src/git/readRepository.ts';
import { codeOfRefusal } from '../refusal.ts';

/** A forge with one repository whose `main` holds README.md, and people who use it. */
export interface ForgeStage {
  forge: Forge;
  repo: string;
  /** Stores what an operation brought about, as the runner does. */
  commit(change: ForgeChange): void;
  comment(number: number, text: string): Promise<void>;
  approve(number: number): Promise<void>;
  commitToMain(files: Record<string, string>): void;
  end(): Promise<void>;
}

/** What every forge promises: each test on its own stage. `endAll` ends what they share. */
export function forgeContract(
  name: string,
  makeStage: () => Promise<ForgeStage>,
  endAll: () => Promise<void> = async () => {},
): void {
  const test = suite(`scm contract: ${name}`);
  test.after(endAll);
  let serial = 0;

  interface World extends ForgeStage {
    dir: string;
    write<K extends ForgeOperation>(
      operation: K,
      args: ForgeOperations[K],
      operationId?: string,
      author?: string,
    ): Promise<ForgeChange>;
    open(head: string, files?: Record<string, string>): Promise<ForgeChange>;
    checkout(): Promise<string>;
  }

  const on = (run: (world: World) => Promise<void>) => async () => {
    const stage = await makeStage();
    const dir = mkdtempSync(join(tmpdir(), 'svc-contract-'));
    const { forge, repo } = stage;
    const write: World['write'] = async (
      operation,
      args,
      operationId = `op-${++serial}`,
      author = 'svc:job-1',
    ) => {
      const actor: ForgeActor = { author, at: Date.now(), operationId };
      const change = await forge.write(operation, args, actor);
      stage.commit(change);
      return change;
    };
    const checkout = async (): Promise<string> => {
      const source = await forge.source(repo, { fresh: true });
      assert.ok(source);
      const jobDir = mkdtempSync(join(dir, 'job-'));
      return (
        await ensureCheckout({
          repoPath: source.path,
          jobDir,
          slug: repo,
          baseBranch: source.defaultBranch,
        })
      ).absDir;
    };
    const open: World['open'] = async (head, files = { [`${head}.txt`]: 'new\n' }) => {
      const checkoutDir = await checkout();
      const git = (...args: string[]) =>
        execFileSync('git', args, { cwd: checkoutDir, stdio: 'pipe' });
      git('switch', '--quiet', '-c', head);
      for (const [path, text] of Object.entries(files))
        writeFileSync(join(checkoutDir, path), text);
      git('add', '--all');
      git('commit', '--quiet', '-m', 'A change');
      return write('create_pr', {
        repo,
        head,
        base: '',
        title: `Change ${head}`,
        body: 'Why.',
        checkoutDir,
        workItem: 'w1',
      });
    };
    try {
      await run({ ...stage, dir, write, open, checkout });
    } finally {
      await stage.end();
      rmSync(dir, { recursive: true, force: true });
    }
  };

  test(
    'a checkout is made of what the forge has now, and holds neither a login nor the address of the server',
    on(async ({ checkout, commitToMain }) => {
      commitToMain({ 'late.txt': 'late\n' });
      const dir = await checkout();
      assert.is(readFileSync(join(dir, 'late.txt'), 'utf8'), 'late\n');
      assert.not.match(readFileSync(join(dir, '.git', 'config'), 'utf8'), /http|token|credential/i);
    }),
  );

  test(
    'files are read, listed and found as they are committed at the forge',
    on(async ({ forge, repo, commitToMain }) => {
      commitToMain({ 'list.txt': 'one\ntwo: needle\n' });
      const source = await forge.source(repo, { fresh: true });
      assert.ok(source);
      assert.is(
        (await readRepository(source, 'read_file', { path: 'list.txt', ref: '' })).text,
        'one\ntwo: needle\n',
      );
      assert.equal((await readRepository(source, 'list_files', { path: '', ref: '' })).files, [
        'README.md',
        'list.txt',
      ]);
      assert.equal(
        (await readRepository(source, 'search_code', { text: 'needle', path: '', ref: '' })).found,
        [{ path: 'list.txt', line: 2, text: 'two: needle' }],
      );
      const refusals = [
        { path: '../secret', ref: '' },
        { path: 'gone.txt', ref: '' },
        { path: 'README.md', ref: '--upload-pack=x' },
      ].map((args) => codeOfRefusal(() => readRepository(source, 'read_file', args)));
      assert.equal(await Promise.all(refusals), ['bad-argument', 'not-found', 'bad-argument']);
    }),
  );

  test(
    'create_pr brings the branch to the forge and opens a pull request with everything that can be said of it (TOOL-6)',
    on(async ({ forge, repo, open }) => {
      const { pr, result } = await open('feature');
      assert.equal(result, {
        prId: `${forge.id}:${repo}#1`,
        number: 1,
        url: pr?.url,
        state: 'open',
        head: 'feature',
        base: 'main',
        existing: false,
      });
      assert.equal(pr?.forge, forge.id);
      assert.equal(pr?.repo, repo);
      assert.equal(pr?.title, 'Change feature');
      assert.equal(pr?.workItem, 'w1');
      assert.equal(pr?.mergedAt, null);
      const {
        author: _,
        createdAt,
        url,
        headCommit,
        mergeState,
        ...detail
      } = await forge.pullRequest(repo, 1);
      assert.match(headCommit, /^[0-9a-f]{12,40}$/);
      assert.equal(mergeState, {
        word: forge.id === 'gitlab' ? 'mergeable' : 'clean',
        clean: true,
      });
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000, createdAt);
      assert.equal(detail, {
        prId: `${forge.id}:${repo}#1`,
        forge: forge.id,
        repo,
        number: 1,
        title: 'Change feature',
        head: 'feature',
        base: 'main',
        state: 'open',
        workItem: forge.capabilities.remote ? null : 'w1',
        mergedAt: null,
        body: 'Why.',
        approvals: [],
        mergeable: true,
        comments: 0,
        thread: [],
        checks: [],
        reviewThreads: [],
        headApprovals: [],
        changesRequested: [],
        checksState: { state: 'none', reason: '' },
        requiredChecks: { state: 'none', reason: '' },
      });
      assert.match(await forge.diff(repo, 1), /\+new/);
      assert.equal(
        (await forge.pullRequests(repo)).map(({ number, state }) => [number, state]),
        [[1, 'open']],
      );
    }),
  );

  test(
    'while a pull request is open for the same branches it is answered, with the new commits',
    on(async ({ forge, repo, open }) => {
      await open('feature');
      const again = await open('other');
      assert.is(again.result.number, 2);
      const { result } = await forgeAgain(forge, repo);
      assert.equal(result.number, 1);
      assert.equal(result.existing, true);
    }),
  );
  const forgeAgain = (forge: Forge, repo: string) =>
    forge.write(
      'create_pr',
      {
        repo,
        head: 'feature',
        base: 'main',
        title: 'Another title',
        body: '',
        checkoutDir: '',
        workItem: null,
      },
      { author: 'svc:job-1', at: Date.now(), operationId: `op-${++serial}` },
    );

  test(
    'what cannot become a pull request is refused with the reason',
    on(async ({ repo, write, checkout }) => {
      const checkoutDir = await checkout();
      const ask = (head: string, more: object = {}) =>
        codeOfRefusal(() =>
          write('create_pr', {
            repo,
            head,
            base: '',
            title: 'T',
            body: '',
            checkoutDir,
            workItem: null,
            ...more,
          }),
        );
      assert.equal(await ask('main'), 'conflict');
      assert.equal(await ask('no-such-branch'), 'bad-argument');
      assert.equal(await ask('--force'), 'bad-argument');
      assert.equal(await ask('x', { repo: 'no/such-repository' }), 'not-found');
      execFileSync('git', ['switch', '--quiet', '-c', 'empty'], { cwd: checkoutDir });
      assert.is(await ask('empty'), 'conflict');
    }),
  );

  test(
    'one behind a network says whether it has a repository',
    on(async ({ forge, repo }) => {
      if (!isRemote(forge)) return;
      await forge.checkRepository(repo);
      const ask = (slug: string) => codeOfRefusal(() => forge.checkRepository(slug));
      assert.is(await ask('no/such-repository'), 'not-found');
    }),
  );

  test(
    'comments and replies are answered with their ids, and read oldest first',
    on(async ({ forge, repo, open, write, comment }) => {
      await open('feature');
      await comment(1, 'Please add a test.');
      const [original] = await forge.comments(repo, 1);
      assert.ok(original);
      const { result } = await write('reply_to_comment', {
        repo,
        number: 1,
        commentId: original.id,
        body: 'Done.',
      });
      assert.is(result.inReplyTo, original.id);
      const posted = await write('post_pr_comment', { repo, number: 1, body: 'Anything else?' });
      const thread = await forge.comments(repo, 1);
      assert.equal(
        thread.map(({ id }) => id),
        [original.id, result.commentId, posted.result.commentId],
      );
      assert.is(thread[0]?.body, 'Please add a test.');
      assert.match(thread[1]?.body ?? '', /Done\.$/);
      assert.is(thread[2]?.body, 'Anything else?');
      assert.equal((await forge.pullRequest(repo, 1)).thread, thread);
      assert.is(
        await codeOfRefusal(() => write('post_pr_comment', { repo, number: 1, body: ' ' })),
        'bad-argument',
      );
      assert.is(
        await codeOfRefusal(() => write('post_pr_comment', { repo, number: 99, body: 'x' })),
        'not-found',
      );
    }),
  );

  test(
    'an approval of a person is shown; a merge says when and by which commit, and cannot be done twice',
    on(async ({ forge, repo, open, write, approve }) => {
      await open('feature');
      await approve(1);
      assert.is((await forge.pullRequest(repo, 1)).approvals.length, 1);
      const { pr, result } = await write('merge_pr', { repo, number: 1 });
      assert.equal(pr?.state, 'merged');
      assert.equal(result.state, 'merged');
      assert.ok(
        Math.abs(Date.parse(String(result.mergedAt)) - Date.now()) < 60_000,
        String(result.mergedAt),
      );
      assert.match(String(result.mergeCommit), /^[0-9a-f]{40}$/);
      const after = await forge.pullRequest(repo, 1);
      assert.equal(after.state, 'merged');
      assert.equal(after.mergeable, null);
      assert.equal(after.mergedAt === null, false);
      assert.is(await codeOfRefusal(() => write('merge_pr', { repo, number: 1 })), 'conflict');
      assert.is(await codeOfRefusal(() => write('approve_pr', { repo, number: 1 })), 'conflict');
    }),
  );

  test(
    'an approval counts for the commit that it was given to, and not for one that was pushed after it',
    on(async ({ forge, repo, open, write, approve, checkout }) => {
      await open('feature');
      await approve(1);
      const before = await forge.pullRequest(repo, 1);
      assert.equal(before.headApprovals, before.approvals);
      const dir = await checkout();
      const git = (...args: string[]) => execFileSync('git', args, { cwd: dir, stdio: 'pipe' });
      git('switch', '--quiet', 'feature');
      writeFileSync(join(dir, 'more.txt'), 'more\n');
      git('add', '--all');
      git('commit', '--quiet', '-m', 'One more');
      await write('create_pr', {
        repo,
        head: 'feature',
        base: '',
        title: 'T',
        body: '',
        checkoutDir: dir,
        workItem: null,
      });
      const after = await forge.pullRequest(repo, 1);
      assert.is.not(after.headCommit, before.headCommit);
      assert.equal(after.approvals, before.approvals);
      assert.equal(after.headApprovals, []);
    }),
  );

  test(
    'a merge that git cannot do is refused as a conflict, and the pull request shows it',
    on(async ({ forge, repo, open, write, commitToMain }) => {
      await open('feature', { 'README.md': 'Mine.\n' });
      commitToMain({ 'README.md': 'Theirs.\n' });
      assert.is((await forge.pullRequest(repo, 1)).mergeable, false);
      assert.is(await codeOfRefusal(() => write('merge_pr', { repo, number: 1 })), 'conflict');
      assert.is((await forge.pullRequest(repo, 1)).state, 'open');
    }),
  );

  const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  const remark = (more: Partial<ReviewComment>): ReviewComment => ({
    path: 'list.txt',
    line: null,
    startLine: null,
    side: 'after',
    body: 'Why?',
    suggestion: null,
    replyTo: null,
    ...more,
  });

  test(
    'a review brings each comment to its line, on the side that it names, and answers threads; repeated under the same id it is written once',
    on(async ({ forge, repo, open, write, comment, commitToMain }) => {
      commitToMain({ 'list.txt': text(LINES) });
      await open('feature', { 'list.txt': text(LINES.with(1, 'TWO').toSpliced(8, 1, 'last')) });
      await comment(1, 'Is this needed?');
      const {
        headCommit,
        thread: [original],
      } = await forge.pullRequest(repo, 1);
      const review: ReviewWrite = {
        repo,
        number: 1,
        head: headCommit,
        verdict: 'comment',
        body: 'Two things.',
        comments: [
          remark({ line: 2, body: 'Shouting.', suggestion: 'Two' }),
          remark({ line: 9, side: 'before', body: 'It was fine.' }),
          remark({ line: 3, body: 'Not changed.' }),
          remark({ body: 'The whole file.' }),
          remark({ path: '', body: 'It is.', replyTo: original?.id ?? '' }),
        ],
      };
      const send = async () => {
        for (const { id, operation, args } of forge.reviewParts(review)) {
          const actor: ForgeActor = { author: 'ann', at: Date.now(), operationId: `review/${id}` };
          const outcome = isRemote(forge) ? await forge.find(operation, args, actor) : null;
          if (!outcome) await write(operation, args, `review/${id}`, 'ann');
        }
      };
      await send();
      await send();
      const after = await forge.pullRequest(repo, 1);
      const readCommentBody = (id: string | undefined) =>
        after.thread.find((one) => one.id === id)?.body ?? '';
      const asText = forge.resolveThread === undefined;
      const placed = after.reviewThreads.map(({ path, line, side = 'after', commentIds }) => [
        path,
        line,
        side,
        readCommentBody(commentIds[0]).split('\n')[0],
      ]);
      const byLine = (a: unknown[], b: unknown[]) => String(a).localeCompare(String(b));
      assert.equal(
        placed.toSorted(byLine),
        asText
          ? []
          : [
              ['list.txt', 2, 'after', 'Shouting.'],
              ['list.txt', 3, 'after', 'Not changed.'],
              ['list.txt', 9, 'before', 'It was fine.'],
              ['list.txt', null, 'after', 'The whole file.'],
            ].toSorted(byLine),
      );
      const all = after.thread.map(({ body }) => body);
      const times = (words: string) => all.filter((body) => body.includes(words)).length;
      for (const words of [
        'Two things.',
        'Shouting.',
        'It was fine.',
        'Not changed.',
        'The whole file.',
        'It is.',
      ])
        assert.is(times(words), 1, `${words}: ${JSON.stringify(all)}`);
      assert.match(
        all.find((body) => body.includes('Shouting.')) ?? '',
        /```suggestion[^\n]*\nTwo\n```/,
      );
    }),
  );

  test(
    'a thread is resolved and opened again, where the forge can do it',
    on(async ({ forge, repo, open, write, commit }) => {
      await open('feature');
      const { headCommit: head } = await forge.pullRequest(repo, 1);
      const comments = [remark({ path: 'feature.txt', line: 1 })];
      const review: ReviewWrite = { repo, number: 1, head, verdict: 'comment', body: '', comments };
      for (const { id, operation, args } of forge.reviewParts(review))
        await write(operation, args, `review/${id}`, 'ann');
      const threads = async () => (await forge.pullRequest(repo, 1)).reviewThreads;
      const [thread] = await threads();
      if (!forge.resolveThread) return assert.is(thread, undefined);
      assert.ok(thread);
      const actor = { author: 'ann', at: Date.now(), operationId: 'resolve' };
      for (const resolved of [true, true, false]) {
        const { rows } = await forge.resolveThread(
          { repo, number: 1, id: thread.id, resolved },
          actor,
        );
        commit({ pr: null, result: {}, rows, events: [] });
        assert.equal(
          (await threads()).map((one) => one.resolved),
          [resolved],
        );
      }
      const missing = { repo, number: 1, id: '99999', resolved: true };
      assert.is(
        await codeOfRefusal(async () => forge.resolveThread?.(missing, actor)),
        'not-found',
      );
    }),
  );

  test(
    'the files in conflict are named, by a merge that is tried and not done',
    on(async ({ forge, repo, open, commitToMain }) => {
      await open('feature', { 'README.md': 'Mine.\n', 'other.txt': 'x\n' });
      assert.equal(await listConflictFiles(forge, await forge.pullRequest(repo, 1)), []);
      commitToMain({ 'README.md': 'Theirs.\n' });
      const pr = await forge.pullRequest(repo, 1);
      assert.equal(await listConflictFiles(forge, pr), ['README.md']);
      assert.is((await forge.pullRequest(repo, 1)).state, 'open');
    }),
  );

  test(
    'it knows its own repositories by name, and those on this disk',
    on(async ({ forge, repo }) => {
      assert.equal(forge.serves(repo), true);
      assert.equal(forge.serves('../etc'), false);
      assert.equal(forge.serves(''), false);
      assert.equal(forge.canonical(repo), repo.toLowerCase());
      assert.equal(forge.canonical('../etc'), null);
      const source = await forge.source(repo, { fresh: true });
      assert.equal(
        (await forge.repos()).map(({ path, defaultBranch }) => [path, defaultBranch]),
        [[source?.path, 'main']],
      );
    }),
  );

  test.run();
}
