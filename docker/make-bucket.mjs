// Makes the bucket of STORAGE_URL where it is not there yet: a fresh MinIO has none.
import { Client } from 'minio';

const url = new URL(process.env.STORAGE_URL);
const useSSL = url.protocol === 's3+https:';
const bucket = url.pathname.split('/')[1];
const client = new Client({
  endPoint: url.hostname,
  port: Number(url.port || (useSSL ? 443 : 80)),
  useSSL,
  accessKey: decodeURIComponent(url.username),
  secretKey: decodeURIComponent(url.password),
});
if (await client.bucketExists(bucket)) console.log(`bucket ${bucket} is there`);
else await client.makeBucket(bucket).then(() => console.log(`made bucket ${bucket}`));
