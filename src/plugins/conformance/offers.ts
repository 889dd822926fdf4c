import type { PluginManifest } from '../../contract/schema/runner/plugin.ts';
import { OFFERED_BY } from '../manifest.ts';
import { type Case, expect, SkipError } from './expect.ts';

/** A method, or an object with methods such as the login of an executor. */
const isOfferablePart = (part: unknown): boolean =>
  typeof part === 'function' || (typeof part === 'object' && part !== null);

const listUnnamedParts = (instance: object, { kind, offers = [] }: PluginManifest): string[] => {
  const offeredNames = new Set<string>(offers);
  const ofKind = Object.keys(OFFERED_BY).filter((part) => OFFERED_BY[part] === kind);
  return ['healthcheck', ...ofKind].filter(
    (part) => !offeredNames.has(part) && isOfferablePart(Reflect.get(instance, part)),
  );
};

/** A part that the manifest does not name is never called, and nothing else would report that. */
export const createOffersCase = (manifest: PluginManifest, open: () => Promise<object>): Case => ({
  name: 'parts-are-offered',
  promise: 'Every optional part of the code is named in svc.offers: others are never called.',
  async run() {
    // svc calls the parts of its own plugins directly.
    if (manifest.entry === 'built-in') throw new SkipError('it is part of svc');
    const unnamedParts = listUnnamedParts(await open(), manifest);
    const parts = unnamedParts.map((part) => `"${part}"`).join(', ');
    expect(
      unnamedParts.length === 0,
      `svc.offers lacks ${parts}: name it, or remove it from the code`,
    );
  },
});
