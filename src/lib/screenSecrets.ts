/** What stands where a secret was. */
const SCREENED = '[secret]';

/** Makes a function that takes known secrets out of a text. Empty ones are left out: they are everywhere. */
export const screenSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const known = secrets.filter((secret) => secret !== '');
  return (text) => known.reduce((screened, secret) => screened.replaceAll(secret, SCREENED), text);
};
