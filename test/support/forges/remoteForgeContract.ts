import type { Context, Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { catchRefusal } from '../refusal.ts';

/** A forge behind a network, and what a test of its account changes. */
export interface AccountStage {
  forge: RemoteForge;
  repo: string;
  /** The same forge with a token that the server does not know. */
  withWrongToken: RemoteForge;
  stopServer(): Promise<void>;
  end(): Promise<void>;
}

export function accountContract(
  test: Test<Context>,
  wrongToken: string,
  open: () => Promise<AccountStage>,
): void {
  const on = (run: (stage: AccountStage) => Promise<void>) => async () => {
    const stage = await open();
    try {
      await run(stage);
    } finally {
      await stage.end();
    }
  };

  const requests: Record<string, (forge: RemoteForge, repo: string) => unknown> = {
    'the health check': ({ healthcheck }) => healthcheck(),
    'the account': ({ self }) => self(),
    'a pull request': ({ pullRequest }, repo) => pullRequest(repo, 1),
    'whether a repository exists': ({ checkRepository }, repo) => checkRepository(repo),
    'the source': ({ source }, repo) => source(repo, { fresh: true }),
  };
  for (const [name, ask] of Object.entries(requests)) {
    test(
      `${name}: a wrong token is reported as wrong, and is not shown`,
      on(async ({ withWrongToken, repo }) => {
        const { code, message } = await catchRefusal(async () => ask(withWrongToken, repo));
        assert.is(code, 'config-invalid', message);
        assert.match(message, /does not accept the token/);
        assert.not.match(message, wrongToken.slice(0, 5));
      }),
    );
  }

  test(
    'a health check asks again whose token it is, even for one that was accepted before',
    on(async ({ forge, stopServer }) => {
      assert.equal(await forge.healthcheck(), {
        ok: true,
        detail: `Logged in as ${await forge.self()}.`,
      });
      await stopServer();
      assert.is((await catchRefusal(() => forge.healthcheck())).code, 'unreachable');
    }),
  );
}

/** A forge with an open pull request 1, whose server refuses merges with the words that are given. */
export interface RefusingStage {
  forge: RemoteForge;
  repo: string;
  refuseMerges(words: string): void;
  end(): Promise<void>;
}

/** Refusals of a merge as forges word them: svc adds to the words, and never replaces them. */
const REFUSALS = [
  'Changes must be made through the merge queue',
  'Merge commits are not allowed on this repository.',
  'This project requires squashing commits when merge requests are accepted.',
];

/** What every forge behind a network does about a merge that its server refuses. */
export function mergeRefusalContract(
  test: Test<Context>,
  open: () => Promise<RefusingStage>,
): void {
  test('a refused merge is reported in the words of the forge, whatever svc adds to them', async () => {
    const stage = await open();
    const results = [];
    for (const words of REFUSALS) {
      stage.refuseMerges(words);
      const args = { repo: stage.repo, number: 1 };
      const actor = { author: 'svc:job', at: 0, operationId: 'op' };
      const { code, message } = await catchRefusal(() =>
        stage.forge.write('merge_pr', args, actor),
      );
      results.push([code, message.includes(words)]);
    }
    await stage.end();
    assert.equal(
      results,
      REFUSALS.map(() => ['conflict', true]),
    );
  });
}

/** Settings that are refused, without showing the token. */
export function settingsContract(
  test: Test<Context>,
  token: string,
  settings: (config: Record<string, string>) => unknown,
  refused: readonly Readonly<Record<string, string>>[],
): void {
  for (const values of refused) {
    test(`the settings ${JSON.stringify(values)} are refused, and the token is not shown`, () => {
      try {
        settings({ token, ...values });
      } catch (error) {
        assert.ok(error instanceof SvcError && error.code === 'config-invalid', String(error));
        assert.not.match(error.message, token);
        return;
      }
      assert.unreachable(JSON.stringify(values));
    });
  }
}
