import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of a new hash (OWASP, 2025): 32 MiB and three passes. Stored hashes name their own. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Characters of a password. The upper end keeps one request from being work for a minute. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const;

interface Cost {
  N: number;
  r: number;
  p: number;
}

const deriveKey = (password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // One text for what looks the same: keyboards differ in how they compose an accent.
    const text = password.normalize('NFKC');
    scrypt(text, salt, HASH_BYTES, { N, r, p, maxmem: MAX_MEMORY_BYTES }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** `scrypt$N$r$p$salt$hash`, salt and hash as base64url. */
export async function hashPassword(password: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await deriveKey(password, salt, cost);
  return [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$');
}

const STORED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]+)\$([\w-]+)$/;

/** Compared with where an account has no password, so that the answer takes as long. */
const NO_ACCOUNT = `scrypt$${COST.N}$${COST.r}$${COST.p}$AAAAAAAAAAAAAAAAAAAAAA$AAAA`;

/** `stored` null: no account, or none with a password. False then, after the same time. */
export async function verifyPassword(
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = STORED.exec(storedHash ?? NO_ACCOUNT) ?? [];
  if (N === undefined) throw new Error('A stored password has an unknown form.');
  // By characters, as its length is checked: half of one that takes two units is another password.
  const text = [...password].slice(0, PASSWORD_LENGTH.most).join('');
  const key = await deriveKey(text, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  const expected = Buffer.from(hash, 'base64url');
  return key.length === expected.length && timingSafeEqual(key, expected) && storedHash !== null;
}
