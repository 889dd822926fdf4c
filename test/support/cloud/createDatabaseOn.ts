import postgres from 'postgres';

/** Makes a database on a test server; resolves with its URL. `template`: the database that it is a copy of. */
export async function createDatabaseOn(
  serverUrl: string,
  name: string,
  template: string | null,
): Promise<string> {
  const folder = new URL(serverUrl).searchParams.get('host');
  const sql = postgres(serverUrl.split('?', 1)[0] ?? '', {
    path: `${folder}/.s.PGSQL.5432`,
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
  });
  await sql.unsafe(`create database ${name}${template === null ? '' : ` template ${template}`}`);
  await sql.end();
  return serverUrl.replace('/postgres?', `/${name}?`);
}
