import { createRequire } from 'node:module';
import { resolve } from 'node:path';

/** The files of the newest versions: of types by their endings, and the list with all about them. */
export const MEDIA_TYPES = {
  lookup: resolve('node_modules/mime-types/index.js'),
  list: resolve('node_modules/mime-db/db.json'),
};

interface MediaType {
  charset?: string;
  compressible?: boolean;
  extensions?: string[];
}

/** As JSON text it is parsed in a fifth of the time that the object literal would take. */
const asText = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;

/** Of the list, what the runner asks: the character set of a type, and whether it can be compressed. */
export function listModule(list: string): string {
  const types: Record<string, MediaType> = JSON.parse(list);
  const known = Object.entries(types).flatMap(([name, { charset, compressible }]) =>
    charset === undefined && compressible === undefined ? [] : [[name, { charset, compressible }]],
  );
  return `module.exports = ${asText(Object.fromEntries(known))};`;
}

/**
 * mime-types with its table of endings as it is after loading, instead of what makes it at each
 * start. Throws where the package is another than this was written for.
 */
export function lookupModule(source: string): string {
  const { types } = Object(createRequire(import.meta.url)(MEDIA_TYPES.lookup));
  const fill = 'populateMaps(exports.extensions, exports.types)';
  const parts = source.split(`\n${fill}\n`);
  if (parts.length !== 2) throw new Error('mime-types no longer fills its table at one place');
  return parts.join(`\nObject.assign(exports.types, ${asText(types)})\n`);
}
