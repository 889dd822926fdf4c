/**
 * Failures after which nothing can have reached the forge: the request goes out after name,
 * connection and certificate are settled.
 */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

const CERTIFICATES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'it was issued by an authority that this machine does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it was issued by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT: 'it was issued by an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'it was issued by an authority that this machine does not know',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
};
const EXPIRED = 'Renew it on the server, and check the clock of this machine.';
const REMEDIES: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Set baseUrl of the plugin to the name that the certificate is for.',
  CERT_HAS_EXPIRED: EXPIRED,
  CERT_NOT_YET_VALID: EXPIRED,
};
const UNTRUSTED =
  "Start svc with NODE_EXTRA_CA_CERTS set to the PEM file of the server's certificate authority, or check baseUrl of the plugin.";
const PROXY_REFUSAL = /^Proxy (?:response \((\d+)\)|Authentication Required \((\d+)\))/;

const findFailureCode = (error: unknown): string => {
  const { code, cause } = Object(error);
  return typeof code === 'string' ? code : cause === undefined ? '' : findFailureCode(cause);
};

/** The status with which a proxy refused to carry a request; null = the failure is another one. */
function findProxyRefusal(error: unknown): string | null {
  const { message, cause } = Object(error);
  const [, tunnel, plain] = PROXY_REFUSAL.exec(String(message)) ?? [];
  return tunnel ?? plain ?? (cause === undefined ? null : findProxyRefusal(cause));
}

/** Whether a request that failed in this way may have reached the forge. */
export const mayHaveArrived = (error: unknown): boolean => {
  const code = findFailureCode(error);
  return (
    !NOT_SENT.has(code) && !Object.hasOwn(CERTIFICATES, code) && findProxyRefusal(error) === null
  );
};

export const isLastingFailure = (error: unknown): boolean =>
  Object.hasOwn(CERTIFICATES, findFailureCode(error)) || findProxyRefusal(error) === '407';

/**
 * What a proxy said instead of carrying a request, and what to do; null where no proxy answered.
 */
export function describeProxyProblem(host: string, error: unknown): string | null {
  const status = findProxyRefusal(error);
  if (status === null) return null;
  const remedy =
    status === '407'
      ? 'Put the user and password that it wants into HTTPS_PROXY and HTTP_PROXY (http://user:password@proxy:port).'
      : `Check HTTPS_PROXY and HTTP_PROXY, or name ${host} in NO_PROXY if it is reached directly.`;
  return `The proxy does not let svc reach ${host} (${status}). ${remedy}`;
}

/**
 * What is wrong with the certificate of the host, and what to do; null where the failure is another
 * one.
 */
export function describeCertificateProblem(host: string, error: unknown): string | null {
  const code = findFailureCode(error);
  const why = Object.hasOwn(CERTIFICATES, code) ? CERTIFICATES[code] : undefined;
  return why === undefined
    ? null
    : `The certificate of ${host} is not accepted: ${why} (${code}). ${REMEDIES[code] ?? UNTRUSTED}`;
}
