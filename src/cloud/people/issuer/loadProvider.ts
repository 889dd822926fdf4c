export type ProviderPackage = typeof import('oidc-provider');

/**
 * Loaded with the first control plane only. On Node 20 the package prints a warning that it wants a
 * newer one; what svc uses of it runs there, as the tests show.
 */
export async function loadProvider(): Promise<ProviderPackage> {
  const { warn } = console;
  console.warn = () => {};
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
