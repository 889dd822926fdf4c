/** The login that an address of a package or repository may have in it. */
const ADDRESS_LOGIN = /\/\/[^/@\s]*@/g;

/** Removes the user and password from each address of a text: `https://me:secret@host/` → `https://host/`. */
export const hideAddressLogins = (text: string): string => text.replace(ADDRESS_LOGIN, '//');
