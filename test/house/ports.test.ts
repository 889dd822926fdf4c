import { basename } from 'node:path';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectFiles, read } from '../../scripts/checks/projectFiles.ts';

const test = suite('house: ports');

/** Names of the members of an interface in a source. */
function membersOf(file: string, name: string): string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const found = source.statements.find(
    (one): one is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(one) && one.name.text === name,
  );
  return (found?.members ?? []).flatMap(({ name: key }) =>
    key && ts.isStringLiteral(key) ? [key.text] : [],
  );
}

/** `phase.prepare` → `phasePrepare.ts`. */
const fileOf = (port: string): string =>
  `${port.replace(/\.(\w)/g, (_dot, first: string) => first.toUpperCase())}.ts`;

const sources = projectFiles().filter((file) => file.startsWith('src/'));

for (const [file, name] of [
  ['machines/job/ports.ts', 'JobPorts'],
  ['machines/subRuns/ports.ts', 'SubRunsPorts'],
] as const) {
  const ports = membersOf(file, name);

  test(`${file} declares ports`, () => {
    assert.ok(ports.length > 0);
  });

  for (const port of ports) {
    test(`the port ${port} is one file with its name`, () => {
      const places = sources.filter((source) => basename(source) === fileOf(port));
      assert.is(places.length, 1, `${fileOf(port)} is at: ${places.join(', ') || 'no place'}`);
    });
  }
}

test.run();
