import { isMissingFile } from '../../base/errors/findErrorCode.ts';
import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { makeOnFirstUse } from '../../base/concurrency/makeOnFirstUse.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { writePrivateFile } from '../../base/system/files/writePrivateFile.ts';

const TrustedRepo = Type.Object({
  repo: Type.String(),
  /** Folder of the repository: the same slug for another folder is not trusted. */
  origin: Type.String(),
  hash: Type.String(),
  /** ISO 8601. */
  trustedAt: Type.String(),
  files: Type.Array(Type.Object({ path: Type.String(), sha256: Type.String() })),
  /** Variables that its tool servers may be given; left out = none. */
  env: Type.Optional(Type.Array(Type.String())),
});
export type TrustedRepo = Type.Static<typeof TrustedRepo>;

const shape = makeOnFirstUse(() =>
  Compile(Type.Object({ version: Type.Literal(1), repositories: Type.Array(TrustedRepo) })),
);

export class TrustFile {
  readonly #file: string;
  readonly #createDraftName: () => string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, nextDraft: () => string) {
    this.#file = file;
    this.#createDraftName = nextDraft;
  }

  /**
   * Whether a person has trusted exactly this: a repository with this name and origin whose
   * runnable content has this hash. Throws SvcError `config-invalid` for a damaged file.
   */
  async has(repo: { slug: string; path: string }, hash: string): Promise<boolean> {
    return (await this.#find(repo, hash)) !== undefined;
  }

  /**
   * Variables that a person has allowed with exactly this. Throws SvcError `config-invalid` for a
   * damaged file.
   */
  async listAllowedEnv(
    repo: { slug: string; path: string },
    hash: string,
  ): Promise<readonly string[]> {
    return (await this.#find(repo, hash))?.env ?? [];
  }

  async #find({ slug, path }: { slug: string; path: string }, hash: string) {
    const trustedRepos = await this.read();
    return trustedRepos.find(
      (one) => one.repo === slug && one.origin === path && one.hash === hash,
    );
  }

  /** Throws SvcError `config-invalid` for a damaged file: nothing is trusted by accident. */
  async read(): Promise<readonly TrustedRepo[]> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (cause) {
      if (isMissingFile(cause)) return [];
      throw new SvcError(
        'config-invalid',
        `The file ${this.#file} cannot be read. You must own it.`,
        { cause },
      );
    }
    try {
      const content: unknown = JSON.parse(text);
      if (shape().Check(content)) return content.repositories;
    } catch {
      // Reported below.
    }
    throw new SvcError(
      'config-invalid',
      `The file ${this.#file} is damaged. Remove it and trust your repositories again (svc trust add).`,
    );
  }

  /**
   * Replaces the content by the result of `change`; changes run in sequence. Throws SvcError
   * `store-failed` too.
   */
  change(change: (now: readonly TrustedRepo[]) => readonly TrustedRepo[]): Promise<void> {
    const changing = this.#last.then(async () => {
      const repositories = change(await this.read());
      try {
        await writePrivateFile(
          this.#file,
          `${JSON.stringify({ version: 1, repositories }, null, 2)}\n`,
          this.#createDraftName(),
        );
      } catch (cause) {
        throw new SvcError(
          'store-failed',
          `The file ${this.#file} cannot be written and was left unchanged.`,
          { cause },
        );
      }
    });
    this.#last = changing.catch(() => {});
    return changing;
  }
}
