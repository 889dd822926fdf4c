import type { Forge } from '../../../contract/forge/forge.ts';
import type { CheckoutRule } from '../../../contract/schema/runner/checkoutSettings.ts';
import { fetchSubmodules } from '../../../git/contents/fetchSubmodules.ts';

interface ContentsRequest {
  forge: Pick<Forge, 'id' | 'contents'>;
  slug: string;
  /** A clone of svc that no agent has seen. */
  cloneDir: string;
  rule: CheckoutRule | undefined;
}

/**
 * Brings submodules and files of Git LFS into a new clone, as far as the person's configuration asks for
 * them. Answers lines for the log. Throws SvcError.
 */
export async function fetchCheckoutContents({
  forge: { id, contents },
  slug,
  cloneDir,
  rule,
}: ContentsRequest): Promise<string[]> {
  const { submodules: allowed = [], lfs = false } = rule ?? {};
  if (allowed.length === 0 && !lfs) return [];
  if (contents === undefined)
    return [`the forge ${id} brings neither submodules nor files of Git LFS`];
  const notes: string[] = [];
  if (allowed.length > 0)
    notes.push(
      ...(await fetchSubmodules({
        checkoutDir: cloneDir,
        scratchDir: `${cloneDir}.submodules`,
        slug,
        allowed,
        contents,
      })),
    );
  const note = lfs ? await contents.fetchLfs(slug, cloneDir) : null;
  return note === null ? notes : [...notes, note];
}
