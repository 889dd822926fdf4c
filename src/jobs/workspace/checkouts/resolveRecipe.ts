import { SvcError } from '../../../base/errors/errors.ts';
import { DEFAULT_SETUP_MINUTES } from '../../../base/settings/checkouts.ts';
import type {
  CheckoutRule,
  CheckoutSettings,
} from '../../../contract/schema/runner/checkoutSettings.ts';
import {
  CHECKOUT_FILE,
  type CheckoutFile,
  parseCheckoutFile,
} from '../../../workflows/definition/parseCheckoutFile.ts';
import type { Layer } from '../../../workflows/overlay/layer.ts';

/** How a checkout is made ready. A script is null where none exists. */
export interface CheckoutRecipe {
  setup: string | null;
  setupMinutes: number;
  teardown: string | null;
  caches: readonly string[];
}

export const findCheckoutRule = (
  settings: CheckoutSettings | undefined,
  slug: string,
): CheckoutRule | undefined =>
  settings?.repositories.find(({ repo }) => repo.toLowerCase() === slug.toLowerCase());

const toScript = (own: string | undefined, ofRepo: string | undefined): string | null =>
  (own ?? ofRepo ?? '').trim() === '' ? null : (own ?? ofRepo ?? null);

/**
 * The person's rule, and for what it leaves out the repository's own file, which its layer has only
 * if a person trusts it. Throws SvcError `invalid` for a file with mistakes.
 */
export function resolveRecipe(
  rule: CheckoutRule | undefined,
  layers: readonly Layer[],
): CheckoutRecipe {
  const file = readOwnFile(layers);
  return {
    setup: toScript(rule?.setup, file.setup),
    setupMinutes: rule?.setupMinutes ?? file.setupMinutes ?? DEFAULT_SETUP_MINUTES,
    teardown: toScript(rule?.teardown, file.teardown),
    caches: rule?.caches ?? file.caches ?? [],
  };
}

function readOwnFile(layers: readonly Layer[]): CheckoutFile {
  const bytes = layers.find(({ name }) => name === 'repo')?.files.get(CHECKOUT_FILE);
  if (bytes === undefined) return {};
  const { read, diagnostics } = parseCheckoutFile(bytes, `.svc/${CHECKOUT_FILE}`);
  if (read !== null) return read;
  const [first] = diagnostics;
  throw new SvcError(
    'invalid',
    `.svc/${CHECKOUT_FILE} of the repository is not valid (line ${first?.line ?? 1}): ${first?.message ?? ''} ${first?.hint ?? ''}`.trim(),
  );
}
