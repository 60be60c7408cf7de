// The few calls of MinIO's administration API used here: policies, users, and which user has which policy.
import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ADMIN = '/minio/admin/v3/';
/** The number of rounds and the algorithm id (2: PBKDF2 with AES-256-GCM) are part of MinIO's format. */
const PBKDF2_ROUNDS = 8192;
const PBKDF2_AES_GCM = 2;
const REQUEST_TIMEOUT_MS = 15_000;

export class MinioAdmin {
  /** @param storage a STORAGE_URL with an administrator's key */
  constructor(storage) {
    const url = new URL(storage);
    this.origin = `${url.protocol === 's3+https:' ? 'https' : 'http'}://${url.host}`;
    this.accessKey = decodeURIComponent(url.username);
    this.secretKey = decodeURIComponent(url.password);
  }

  /** Creates or replaces a policy. */
  async putPolicy(name, policy) {
    await this.put('add-canned-policy', { name }, Buffer.from(JSON.stringify(policy)));
  }

  /** Creates a user, or replaces its secret, and attaches the policy. */
  async putUser(accessKey, secretKey, policyName) {
    const user = Buffer.from(JSON.stringify({ secretKey, status: 'enabled' }));
    await this.put('add-user', { accessKey }, sealFor(this.secretKey, user));
    const who = { policyName, userOrGroup: accessKey, isGroup: 'false' };
    await this.put('set-user-or-group-policy', who, Buffer.alloc(0));
  }

  async removeUser(accessKey) {
    await this.send('DELETE', 'remove-user', { accessKey }, Buffer.alloc(0));
  }

  async removePolicy(name) {
    await this.send('DELETE', 'remove-canned-policy', { name }, Buffer.alloc(0));
  }

  async put(command, query, body) {
    await this.send('PUT', command, query, body);
  }

  async send(method, command, query, body) {
    const url = new URL(ADMIN + command, this.origin);
    // The signature covers the headers in this order.
    for (const name of Object.keys(query).sort()) url.searchParams.set(name, query[name]);
    const headers = this.sign(method, url, body);
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const answer = await fetch(url, { method, headers, body, signal });
    if (answer.ok) return;
    const said = (await answer.text()).slice(0, 500);
    throw new Error(`MinIO refused ${command} with ${answer.status}: ${said}`);
  }

  /** AWS Signature Version 4; names and values in queries need no escapes here. */
  sign(method, url, body) {
    const at = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const scope = `${at.slice(0, 8)}/us-east-1/s3/aws4_request`;
    const hash = sha256(body);
    const signed = { host: url.host, 'x-amz-content-sha256': hash, 'x-amz-date': at };
    const names = Object.keys(signed);
    const request = [
      method,
      url.pathname,
      url.search.slice(1),
      ...names.map((name) => `${name}:${signed[name]}`),
      '',
      names.join(';'),
      hash,
    ].join('\n');
    const text = ['AWS4-HMAC-SHA256', at, scope, sha256(request)].join('\n');
    const key = scope.split('/').reduce(hmac, `AWS4${this.secretKey}`);
    const signature = hmac(key, text).toString('hex');
    const authorization = `AWS4-HMAC-SHA256 Credential=${this.accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
    return { 'x-amz-content-sha256': hash, 'x-amz-date': at, authorization };
  }
}

/**
 * MinIO's format for secrets: salt (32 bytes), algorithm id (1), nonce (8), then one AES-256-GCM fragment. A
 * fragment's nonce ends with its number; its authenticated data are the tag of fragment 0, which is empty, after
 * a byte that marks the last fragment.
 */
function sealFor(password, data) {
  const salt = randomBytes(32);
  const nonce = randomBytes(8);
  const key = pbkdf2Sync(password, salt, PBKDF2_ROUNDS, 32, 'sha256');
  const first = fragment(key, nonce, 0, null, Buffer.alloc(0));
  const last = fragment(key, nonce, 1, Buffer.concat([Buffer.from([0x80]), first]), data);
  return Buffer.concat([salt, Buffer.from([PBKDF2_AES_GCM]), nonce, last]);
}

function fragment(key, nonce, number, associated, data) {
  const iv = Buffer.concat([nonce, Buffer.alloc(4)]);
  iv.writeUInt32LE(number, nonce.length);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  if (associated) cipher.setAAD(associated);
  return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key, text) {
  return createHmac('sha256', key).update(text).digest();
}
