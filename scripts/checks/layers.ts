import { existsSync } from 'node:fs';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import { ANYTHING, type ImportRow, readImportTable, TABLE_FILE } from '../readImportTable.ts';
import type { Check } from './check.ts';

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const below = (folder: string) =>
  folder.endsWith('.ts') ? `^${literal(folder)}$` : `^${literal(folder)}/`;
const inPackage = (name: string) => `^node_modules/(@types/)?${literal(name)}/`;

/** One row of the import table as rules; a row that allows everything needs none. */
function createRules(row: ImportRow, folders: readonly string[]): IForbiddenRuleType[] {
  // A folder with a row of its own goes by that alone.
  const inner = folders.filter((folder) => folder.startsWith(`${row.folder}/`)).map(below);
  const from = { path: below(row.folder), ...(inner.length > 0 ? { pathNot: inner } : {}) };
  const ours = folders.map(below).join('|');
  const rules: IForbiddenRuleType[] = [];
  if (!row.values.includes(ANYTHING)) {
    const values = [row.folder, ...row.values].map(below);
    const types = [...values, ...row.types.map(below)];
    // An inner folder with a row of its own is not allowed by its outer folder.
    const isHidden = (folder: string, allowed: readonly string[]) =>
      folder !== row.folder &&
      !allowed.includes(folder) &&
      allowed.some((outer) => folder.startsWith(`${outer}/`));
    const hiddenValues = folders.filter((folder) => isHidden(folder, [row.folder, ...row.values]));
    const hiddenTypes = folders.filter((folder) =>
      isHidden(folder, [row.folder, ...row.values, ...row.types]),
    );
    if (hiddenValues.length > 0)
      rules.push({
        name: `${row.folder}: values`,
        severity: 'error',
        from,
        to: { path: hiddenValues.map(below), dependencyTypesNot: ['type-only'] },
      });
    if (hiddenTypes.length > 0)
      rules.push({
        name: `${row.folder}: types`,
        severity: 'error',
        from,
        to: { path: hiddenTypes.map(below), dependencyTypes: ['type-only'] },
      });
    rules.push(
      {
        name: `${row.folder}: values`,
        severity: 'error',
        from,
        to: { path: ours, pathNot: values, dependencyTypesNot: ['type-only'] },
      },
      {
        name: `${row.folder}: types`,
        severity: 'error',
        from,
        to: { path: ours, pathNot: types, dependencyTypes: ['type-only'] },
      },
    );
  }
  if (!row.packages.includes(ANYTHING)) {
    const packages = row.packages.filter((name) => name !== 'node:').map(inPackage);
    rules.push({
      name: `${row.folder}: packages`,
      severity: 'error',
      from,
      to: { path: '^node_modules/', pathNot: packages },
    });
    if (!row.packages.includes('node:')) {
      rules.push({
        name: `${row.folder}: node`,
        severity: 'error',
        from,
        to: { dependencyTypes: ['core'] },
      });
    }
  }
  return rules;
}

const CYCLES: IForbiddenRuleType = {
  name: 'cycle',
  severity: 'error',
  from: {},
  // Types are gone when the program runs, so an import of types makes no cycle.
  to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
};

const UNRESOLVED: IForbiddenRuleType = {
  name: 'unresolved',
  severity: 'error',
  from: {},
  to: { couldNotResolve: true },
};

/** The import table and cycles, by dependency-cruiser; a test checks them in another way. */
export const layers: Check = {
  name: 'layers',
  async run() {
    const table = readImportTable();
    const folders = table.map((row) => row.folder);
    const roots = [...new Set(folders.map((folder) => folder.split('/')[0] ?? ''))].filter((root) =>
      existsSync(root),
    );
    const { output } = await cruise(
      roots,
      {
        validate: true,
        ruleSet: {
          forbidden: [CYCLES, UNRESOLVED, ...table.flatMap((row) => createRules(row, folders))],
        },
        tsPreCompilationDeps: true,
        tsConfig: { fileName: 'tsconfig.json' },
        doNotFollow: { path: 'node_modules' },
        exclude: { path: '\\.(md|css|html)$' },
      },
      {
        extensions: ['.ts', '.tsx', '.js', '.json'],
        conditionNames: ['import', 'types', 'node', 'default'],
        exportsFields: ['exports'],
      },
    );
    const { summary, modules } = output as ICruiseResult;
    const moduleCount = modules.filter((module) =>
      roots.some((root) => module.source.startsWith(`${root}/`)),
    ).length;
    const problems = summary.violations.map(({ from, to, rule, cycle }) =>
      cycle
        ? `${[from, ...cycle.map((step) => step.name)].join(' → ')}: a cycle`
        : `${from} imports ${to}: not allowed by "${rule.name}" (table in ${TABLE_FILE})`,
    );
    return { looked: moduleCount, at: 'modules', problems };
  },
};
