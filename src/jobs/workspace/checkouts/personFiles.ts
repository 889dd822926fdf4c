import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { MAX_COPIED_FILE_BYTES } from '../../../base/settings/checkouts.ts';
import { readPlainFile } from '../../../base/system/files/readPlainFile.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { CheckoutRule } from '../../../contract/schema/runner/checkoutSettings.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { listFileSecrets } from './listFileSecrets.ts';
import { excludePaths, placePersonFiles, refuseTrackedFiles } from './placePersonFiles.ts';
import { type PersonFile, readPersonFiles } from './readPersonFiles.ts';

/** What is known of secrets, as far as files that agents get are concerned. */
export interface FileSecrets {
  addFromFiles(secrets: readonly string[]): void;
  /** Whether a text has a secret of svc itself. */
  holdsOwn(text: string): boolean;
}

interface PersonFilesDeps {
  settings: { forges?: Settings['forges'] | undefined; checkout?: Settings['checkout'] };
  secrets: FileSecrets;
  /** A name that no other file has. */
  createDraftName(): string;
}

/** Copies files of a person's folder into checkouts, as far as the person's configuration lists them. */
export class PersonFiles {
  readonly #deps: PersonFilesDeps;

  constructor(deps: PersonFilesDeps) {
    this.#deps = deps;
  }

  /** Has the values of all listed files screened. Never rejects: who gets a file hears what is wrong. */
  async learnAll(): Promise<void> {
    for (const rule of this.#deps.settings.checkout?.repositories ?? [])
      for (const path of rule.copyFiles ?? [])
        await readPersonFiles(this.#findFolder(rule) ?? '', [path]).then(
          (files) => this.#learn(files),
          () => undefined,
        );
  }

  /**
   * Copies the files into a checkout that lacks one, or that has an earlier state of the person's; an
   * agent's changes of its copy stay. Answers the hash of what it has now. Throws SvcError `invalid`.
   */
  async bring(rule: CheckoutRule, checkoutDir: string, before: string | null): Promise<string> {
    const { secrets, createDraftName: nextDraft } = this.#deps;
    const paths = rule.copyFiles ?? [];
    const from = this.#findFolder(rule);
    if (from === null)
      throw new SvcError(
        'invalid',
        `checkout.repositories[].copyFiles of ${rule.repo} needs copyFrom: name the folder of your own clone.`,
      );
    const files = await readPersonFiles(from, paths);
    for (const { path, bytes } of files)
      if (secrets.holdsOwn(bytes.toString('utf8')))
        throw new SvcError(
          'invalid',
          `${path} of checkout.repositories[].copyFiles has a secret that svc itself uses, so agents must not get it. Give the project a token of its own in ${join(from, path)}, or remove the file from the list.`,
        );
    this.#learn(files);
    await this.learnCopies(rule, checkoutDir);
    await refuseTrackedFiles(checkoutDir, paths);
    await excludePaths(checkoutDir, paths, nextDraft);
    const hash = sha256(JSON.stringify(files.map(({ path, bytes }) => [path, sha256(bytes)])));
    if (hash !== before || !paths.every((path) => existsSync(join(checkoutDir, path))))
      await placePersonFiles(checkoutDir, files, nextDraft);
    return hash;
  }

  /** Has the values of a checkout's copies screened, which may be older than the person's files. */
  async learnCopies({ copyFiles = [] }: CheckoutRule, checkoutDir: string): Promise<void> {
    for (const path of copyFiles) {
      const text = await readPlainFile(join(checkoutDir, path), MAX_COPIED_FILE_BYTES);
      if (text !== null) this.#deps.secrets.addFromFiles(listFileSecrets(text));
    }
  }

  #learn(files: readonly PersonFile[]): void {
    for (const { bytes } of files)
      this.#deps.secrets.addFromFiles(listFileSecrets(bytes.toString('utf8')));
  }

  #findFolder({ repo, copyFrom }: CheckoutRule): string | null {
    if (copyFrom !== undefined) return copyFrom;
    const repos = Object.entries(this.#deps.settings.forges?.local.repos ?? {});
    return repos.find(([slug]) => slug.toLowerCase() === repo.toLowerCase())?.[1].path ?? null;
  }
}
