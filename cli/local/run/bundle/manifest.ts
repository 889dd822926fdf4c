import { parseJsonOrNull } from '../../../../src/base/json/parseJsonOrNull.ts';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { toCanonicalJson } from '../../../../src/base/json/toCanonicalJson.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { sha256 } from '../../../../src/base/system/ids/ids.ts';

/** Version of the format; newer ones are refused. 2: of a repository only its objects and refs. */
export const BUNDLE_FORMAT = 2;
const MAX_FILES = 1_000_000;
/** Most bytes of the files of a bundle: 64 GiB. */
const MAX_TOTAL_BYTES = 64 * 1024 ** 3;
export const MANIFEST = 'manifest.json';
export const FILES = 'files.gz';

const Entry = Type.Object({
  /** Below the home, with slashes. */
  path: Type.String({ minLength: 1, maxLength: 4096 }),
  /** Permissions of a file; left out for a link. */
  mode: Type.Integer({ minimum: 0, maximum: 0o777 }),
  /** Bytes; of a link those of its target. */
  size: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  link: Type.Boolean(),
});
/** One file of the home; their bytes follow each other in the file `files.gz`. */
export type Entry = Type.Static<typeof Entry>;

const Body = Type.Object({
  format: Type.Integer({ minimum: 1 }),
  svc: Type.String(),
  job: Type.Object({
    id: Type.String(),
    status: Type.String(),
    workflowPath: Type.String(),
    hasLayer: Type.Boolean(),
    frame: Type.Integer({ minimum: 0 }),
    /** The exit code of a job that has ended; null = it continues. */
    ended: Type.Union([Type.Integer(), Type.Null()]),
  }),
  repository: Type.Object({
    slug: Type.String(),
    forge: Type.Union([Type.String(), Type.Null()]),
    isLocal: Type.Boolean(),
    identity: Type.String(),
  }),
  files: Type.Array(Entry),
});
export type BundleManifest = Type.Static<typeof Body>;

const SealedManifest = Type.Object({ body: Body, sha256: Type.String() });

export const formatBundleManifest = (body: BundleManifest): string =>
  `${JSON.stringify({ body, sha256: sha256(toCanonicalJson(body)) }, null, 2)}\n`;

const isSafe = (path: string): boolean =>
  !path.startsWith('/') &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

/** No file lies below a link: it could lead out of the home. */
const isBelowLink = (files: readonly Entry[]): boolean => {
  const links = new Set(files.filter(({ link }) => link).map(({ path }) => path));
  return files.some(({ path }) => {
    const parts = path.split('/');
    return parts.some((_, at) => at > 0 && links.has(parts.slice(0, at).join('/')));
  });
};

const createDamagedBundleError = (dir: string, what: string): SvcError =>
  new SvcError(
    'bad-argument',
    `The bundle ${dir} is damaged: ${what}. It was truncated or changed; use the copy that svc run wrote.`,
  );

export const refuseBundle = (dir: string, what: string): never => {
  throw createDamagedBundleError(dir, what);
};

/** Throws SvcError `bad-argument` for a newer format, or a manifest that was cut or changed. */
export function parseBundleManifest(text: string, dir: string): BundleManifest {
  const value = parseJsonOrNull(text);
  const format = Object(Object(value).body).format;
  if (Number.isInteger(format) && format > BUNDLE_FORMAT)
    throw new SvcError(
      'bad-argument',
      `The bundle ${dir} has format ${format}, and this svc reads up to ${BUNDLE_FORMAT}. Continue it with the version of svc that wrote it, or a newer one.`,
    );
  if (!Check(SealedManifest, value)) return refuseBundle(dir, `${MANIFEST} is not a manifest`);
  const { body } = value;
  if (sha256(toCanonicalJson(body)) !== value.sha256)
    refuseBundle(dir, `${MANIFEST} does not have the hash that it names`);
  const paths = new Set(body.files.map(({ path }) => path));
  if (paths.size < body.files.length || !body.files.every(({ path }) => isSafe(path)))
    refuseBundle(dir, 'it contains invalid file names');
  if (body.files.length > MAX_FILES) refuseBundle(dir, `it contains more than ${MAX_FILES} files`);
  if (body.files.reduce((sum, { size }) => sum + size, 0) > MAX_TOTAL_BYTES)
    refuseBundle(dir, `its files have more than ${MAX_TOTAL_BYTES} bytes`);
  if (isBelowLink(body.files)) refuseBundle(dir, 'it contains files behind a symbolic link');
  return body;
}
