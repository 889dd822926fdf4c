import { read } from '../../../scripts/checks/projectFiles.ts';
import { listFences } from '../../../scripts/docs/markdownFiles.ts';

const PAGE = 'docs/guides/recipes.md';
const FILE = /^<!-- file: (.+) -->$/;

export interface RecipeFile {
  /** Path in a layer, or `config.json, <section>`. */
  path: string;
  text: string;
}

/** The files that a page gives to copy, as a person would copy them. */
export function readPageFiles(file: string): RecipeFile[] {
  const page = read(file);
  const lines = page.split('\n');
  return listFences(page).flatMap(({ line, text }) => {
    const path = FILE.exec(lines[line - 3] ?? '')?.[1];
    return path === undefined ? [] : [{ path, text: `${text}\n` }];
  });
}

/** The files of the page of recipes. */
export const readRecipeFiles = (): RecipeFile[] => readPageFiles(PAGE);
