import { code, plain, table } from './markdown.ts';
import { listMembers, type Schema, typeText } from './schemaText.ts';

/** A table of the members of an object, or what the value is where it has none. */
export function membersTable(schema: Schema): string {
  const members = listMembers(schema);
  if (members.length === 0) return `${typeText(schema)}.`;
  const rows = members.map(({ key, schema: one, required }) => {
    const preset =
      one.default === undefined ? '' : ` Default: ${code(JSON.stringify(one.default))}.`;
    const text = plain(one.description ?? '');
    return [code(key), typeText(one), required ? 'yes' : '', `${text}${preset}`.trim()];
  });
  const described = rows.some(([, , , text]) => text !== '');
  const head = ['Field', 'Type and limits', 'Required', 'Meaning'];
  if (described) return table(head, rows);
  return table(
    head.slice(0, 3),
    rows.map((row) => row.slice(0, 3)),
  );
}
