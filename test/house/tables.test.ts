import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Database } from '../../src/kernel/sqlite/database.ts';
import { KERNEL_TABLES } from '../../src/kernel/sqlite/featureTables.ts';
import { migrate } from '../../src/kernel/sqlite/migrate.ts';
import { MIGRATIONS } from '../../src/jobs/store/migrations/migrations.ts';

const test = suite('house: the declared tables are those of the store');

const SOURCE = fileURLToPath(new URL('../../src/contract/records/tables.ts', import.meta.url));

/**
 * `name: type` for each column, in one order; a question mark follows the type of one that may be
 * null.
 */
type Columns = Record<string, string[]>;

/** What SQLite says of a store that all migrations have made. */
function storedColumns(): Columns {
  const db = new Database(':memory:');
  migrate(db, MIGRATIONS);
  const names = db
    .all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .map(({ name }) => String(name))
    .filter((name) => !KERNEL_TABLES.has(name));
  const tables = names.map((table) => {
    const columns = db.all(
      'SELECT name, type, "notnull" AS required FROM pragma_table_info(?)',
      table,
    );
    return [
      table,
      columns
        // A number of TypeScript is either.
        .map(({ name, type, required }) => {
          const columnType = type === 'REAL' ? 'INTEGER' : type;
          return `${name}: ${columnType}${required === 1 ? '' : '?'}`;
        })
        .toSorted(),
    ];
  });
  db.close();
  return Object.fromEntries(tables);
}

/** The column type that holds a TypeScript type without its null; undefined = none does. */
function columnType(type: ts.Type): string | undefined {
  const parts = (type.isUnion() ? type.types : [type]).filter(
    ({ flags }) => !(flags & ts.TypeFlags.Null),
  );
  if (parts.every(({ flags }) => flags & ts.TypeFlags.StringLike)) return 'TEXT';
  if (parts.every(({ flags }) => flags & ts.TypeFlags.NumberLike)) return 'INTEGER';
  return undefined;
}

/** What the compiler says of the interface `Tables`. */
function declaredColumns(): Columns {
  const program = ts.createProgram([SOURCE], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(SOURCE);
  const declaration = source?.statements.find(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === 'Tables',
  );
  assert.ok(declaration, 'src/contract/records/tables.ts declares no interface Tables');
  const listMembers = (type: ts.Type) =>
    type
      .getProperties()
      .map((symbol) => ({ name: symbol.name, type: checker.getTypeOfSymbol(symbol) }));
  return Object.fromEntries(
    listMembers(checker.getTypeAtLocation(declaration)).map((table) => [
      table.name,
      listMembers(table.type)
        .map(({ name, type }) => {
          const mayBeNull =
            type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Null);
          return `${name}: ${columnType(type)}${mayBeNull ? '?' : ''}`;
        })
        .toSorted(),
    ]),
  );
}

const [stored, declared] = [storedColumns(), declaredColumns()];

test('both have the same tables', () => {
  assert.ok(Object.keys(stored).length > 20, `only ${Object.keys(stored).length} tables found`);
  assert.equal(Object.keys(declared).toSorted(), Object.keys(stored).toSorted());
});

for (const table of Object.keys(stored)) {
  test(`the columns of ${table} have the same names, types and nullability`, () => {
    assert.equal(declared[table], stored[table]);
  });
}

test.run();
