import { dirname, join } from 'node:path';
import { asciiOnly } from './asciiOnly.ts';
import { asCommonJs } from './asCommonJs.ts';
import { changingExports } from './changingExports.ts';

/** Files of one build of esbuild, ES modules that import each other, as CommonJS: path → text. */
export function linkAsCommonJs(files: ReadonlyMap<string, string>): Map<string, string> {
  const none: ReadonlyMap<string, string> = new Map();
  const changing = new Map(
    [...files].map(([path, text]) => [path, changingExports(text)] as const),
  );
  const linked = [...files].map(([path, text]): [string, string] => {
    const findChangingExports = (source: string) =>
      (source.startsWith('.') && changing.get(join(dirname(path), source))) || none;
    const linking = { changing: changing.get(path) ?? none, findChangingExports };
    return [path, asciiOnly(path, asCommonJs(path, text, linking))];
  });
  return new Map(linked);
}
