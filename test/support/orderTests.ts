/** Folders whose files take long, for a clone that has run no tests yet. */
const SLOW = /^test\/(?:stories|browser|crash|sim|plugins|attacks)\//;

/**
 * Slow files first, so that none of them is left over at the end; unknown ones count as slow. Those
 * that weigh the same come from their folders in turn: browsers keep every core busy, and processes
 * that wait for each other keep none busy.
 */
export function orderTests(
  files: readonly string[],
  times: Readonly<Record<string, number>>,
): string[] {
  const weight = (file: string) => times[file] ?? (SLOW.test(file) ? 1e9 : 1e6);
  const getFolder = (file: string) => file.split('/')[1] ?? '';
  const folders = new Map<string, string[]>();
  for (const file of files.toSorted())
    folders.set(getFolder(file), [...(folders.get(getFolder(file)) ?? []), file]);
  const turn = new Map(
    [...folders.values()].flatMap((all) => all.map((file, n) => [file, n / all.length] as const)),
  );
  const getTurn = (file: string) => turn.get(file) ?? 0;
  return files.toSorted((a, b) => weight(b) - weight(a) || getTurn(a) - getTurn(b));
}
