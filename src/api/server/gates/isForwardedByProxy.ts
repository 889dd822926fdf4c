import type { IncomingMessage } from 'node:http';

/**
 * Headers that proxies, tunnels and content networks add to what they pass on. No browser, no
 * client of ours and no agent sends them to a runner on its own machine.
 */
const SIGN = new RegExp(
  `^(?:${[
    'forwarded.*',
    'via',
    'client-ip',
    'true-client-.*',
    'true-ip',
    'remote-ip',
    'real-ip',
    'original-.*',
    'x-coming-from',
    'x-from.*',
    'x-true-.*',
    'x-originating-.*',
    'x-backend-.*',
    'x-traefik-.*',
    'x-haproxy-.*',
    'x-varnish.*',
    'x-cdn.*',
    'x-sucuri-.*',
    'x-akamai-.*',
    'x-cloudfront-.*',
    'cloudfront-.*',
    'akamai-.*',
    'incap-.*',
    'x-iinfo',
    'x-zscaler.*',
    'x-bluecoat-via',
    'x-caddy-.*',
    'x-ngrok-.*',
    'x-github-codespaces.*',
    'x-ms-proxy.*',
    'z-forwarded-.*',
    'source-ip',
    'remote-addr',
    'x-forward.*',
    'x-real-.*',
    'x-client-.*',
    'x-cluster-.*',
    'x-original-.*',
    'x-rewrite-.*',
    'x-remote-.*',
    'x-host',
    'x-proxy.*',
    'x-envoy-.*',
    'x-amzn-.*',
    'x-azure-.*',
    'x-appengine-.*',
    'x-arr-.*',
    'x-vercel-.*',
    'x-nf-.*',
    'x-cloud-trace-context',
    'proxy-.*',
    'wl-proxy-.*',
    'cdn-.*',
    'cf-.*',
    'fastly-.*',
    'fly-.*',
    'ngrok-.*',
    'tailscale-.*',
  ].join('|')})$`,
);

/**
 * Whether a proxy forwarded the request, so that its sender may be anywhere although the connection
 * is local. HTTP/1.0 is such a sign too: nginx uses it for upstream requests. All raw headers are
 * checked, because the server's parsed list may omit some.
 */
export function isForwardedByProxy({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>): boolean {
  if (httpVersion === '1.0') return true;
  // Some servers write an underscore for a hyphen.
  return rawHeaders.some(
    (text, index) => index % 2 === 0 && SIGN.test(text.toLowerCase().replaceAll('_', '-')),
  );
}
