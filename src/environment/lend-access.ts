import type { SetUpAccess } from '../domain/set-up-access.ts';

const FOLDER = '/tmp/fathom-access';
const EXTRA = `${FOLDER}/extra.pem`;
/** Most tools read one file instead of the system's, so theirs holds both. */
const ALL = `${FOLDER}/all.pem`;
const SYSTEM = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'];

const CERTIFICATE_VARIABLES: Record<string, string> = {
  NODE_EXTRA_CA_CERTS: EXTRA,
  ...Object.fromEntries(
    [
      ...['SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'UV_CERT'],
      ...['CARGO_HTTP_CAINFO', 'COMPOSER_CAFILE', 'BUNDLE_SSL_CA_CERT', 'npm_config_cafile', 'YARN_HTTPS_CA_FILE_PATH'],
    ].map((name) => [name, ALL]),
  ),
};

/** What a set-up container runs first: puts the certificates into its memory file system, of which no image keeps anything. */
export function lendingScript({ certificates }: SetUpAccess): string | undefined {
  if (certificates === undefined) return undefined;
  const encoded = Buffer.from(certificates).toString('base64');
  const system = `for f in ${SYSTEM.join(' ')}; do if [ -r "$f" ]; then cat "$f"; break; fi; done`;
  return `set -e\nmkdir -p ${FOLDER}\nbase64 -d >${EXTRA} <<'PEM'\n${encoded}\nPEM\n{ ${system}; cat ${EXTRA}; } >${ALL}`;
}

/** The variables of a set-up command; never those of its container, which an image would keep. */
export const accessVariables = ({ certificates, variables }: SetUpAccess): Record<string, string> => ({
  ...(certificates === undefined ? {} : CERTIFICATE_VARIABLES),
  ...variables,
});
