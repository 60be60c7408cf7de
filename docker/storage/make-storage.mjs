// Creates the bucket of STORAGE_URL if it is missing, and an account for each process with the policy beside
// this file. STORAGE_URL has an administrator's key of MinIO; a second run updates the accounts' secrets.
// Usage: STORAGE_URL=… API_STORAGE_SECRET=… FETCHER_STORAGE_SECRET=… TECH_SCAN_STORAGE_SECRET=… node
// make-storage.mjs
import { readFileSync } from 'node:fs';

import { Client } from 'minio';

import { MinioAdmin } from './minio-admin.mjs';

const url = new URL(process.env.STORAGE_URL);
const useSSL = url.protocol === 's3+https:';
const [bucket, ...prefix] = url.pathname.split('/').filter((part) => part !== '');
/** For each process, the variable with the secret of its account. */
const secrets = {
  api: 'API_STORAGE_SECRET',
  fetcher: 'FETCHER_STORAGE_SECRET',
  'tech-scan': 'TECH_SCAN_STORAGE_SECRET',
};
for (const name of Object.values(secrets)) {
  if (process.env[name]) continue;
  console.error(`${name} is not set: the secret of an account to be made, 8 characters or more`);
  process.exit(78);
}

const client = new Client({
  endPoint: url.hostname,
  port: Number(url.port || (useSSL ? 443 : 80)),
  useSSL,
  accessKey: decodeURIComponent(url.username),
  secretKey: decodeURIComponent(url.password),
});
if (await client.bucketExists(bucket)) console.log(`bucket ${bucket} exists`);
else await client.makeBucket(bucket).then(() => console.log(`created bucket ${bucket}`));

const admin = new MinioAdmin(url.href);
for (const [name, variable] of Object.entries(secrets)) {
  const account = `${bucket}-${name}`;
  await admin.putPolicy(account, policyOf(name));
  await admin.putUser(account, process.env[variable], account);
  console.log(`account ${account} has its policy`);
}

/** The policies are written for a bucket `trawl` without a prefix. */
function policyOf(name) {
  const text = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8');
  const below = [bucket, ...prefix].join('/');
  return JSON.parse(
    text
      .replaceAll('"arn:aws:s3:::trawl"', `"arn:aws:s3:::${bucket}"`)
      .replaceAll('"arn:aws:s3:::trawl/', `"arn:aws:s3:::${below}/`),
  );
}
