/** An `s3+http(s)://ACCESS:SECRET@host:port/bucket[/prefix]?region=…` address in parts. */
export interface S3Address {
  readonly useTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
  /** Prefix of every key: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
}

/** S3 stores other than AWS ignore it, but every signature contains it. */
const DEFAULT_REGION = 'us-east-1';

/** @throws TypeError that names the missing part, without the secret. */
export function parseS3Address(address: string): S3Address {
  const url = new URL(address.replace(/^s3\+/, ''));
  const [bucket = '', ...prefix] = decodeURIComponent(url.pathname)
    .split('/')
    .filter((part) => part !== '');
  if (bucket === '')
    throw new TypeError('The storage address names no bucket: s3+https://KEY:SECRET@host/bucket');
  if (url.username === '' || url.password === '') {
    throw new TypeError(
      'The storage address needs an access key and a secret: s3+https://KEY:SECRET@host/bucket',
    );
  }
  return {
    ...endpointOf(url),
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
    bucket,
    prefix: prefix.map((part) => `${part}/`).join(''),
    region: url.searchParams.get('region') ?? DEFAULT_REGION,
  };
}

/** The same store at its address for clients: `http(s)://host[:port]`. */
export function atPublicEndpoint(address: S3Address, publicStorageUrl: string): S3Address {
  const url = new URL(publicStorageUrl.replace(/^s3\+/, ''));
  if (url.pathname !== '/')
    throw new TypeError(
      'The public storage address must have no path: it is part of the signature',
    );
  return { ...address, ...endpointOf(url) };
}

function endpointOf(url: URL): Pick<S3Address, 'useTls' | 'host' | 'port'> {
  const useTls = url.protocol === 'https:';
  return { useTls, host: url.hostname, port: Number(url.port) || (useTls ? 443 : 80) };
}
