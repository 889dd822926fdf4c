/** Files that name the package with its version, for people who install it by number. */
export const VERSIONED_FILES = [
  'action.yml',
  'templates/svc-run.yml',
  'templates/container/Dockerfile',
] as const;

/** The text with the version of the package, wherever it names the package with one. */
export const withVersion = (text: string, version: string): string =>
  text.replace(/(@svc\/runner@)\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?/g, `$1${version}`);

/**
 * What keeps a package from being packed: files that belong to another version. Empty = nothing.
 * `manifestVersion`: that of oclif.manifest.json, null = it has none; `textByFile`: the versioned
 * files.
 */
export function releaseProblems(
  version: string,
  manifestVersion: string | null,
  textByFile: Readonly<Record<string, string>>,
): string[] {
  const old = Object.entries(textByFile)
    .filter(([, text]) => withVersion(text, version) !== text)
    .map(([file]) => file);
  return [
    ...(manifestVersion === version
      ? []
      : [
          `oclif.manifest.json is of ${manifestVersion ?? 'no version'}: every command would print warnings.`,
        ]),
    ...(old.length === 0 ? [] : [`${old.join(', ')}: another version than ${version} is named.`]),
  ];
}
