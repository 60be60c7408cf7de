import { atPublicEndpoint, parseS3Address } from './s3-address.js';

describe('parseS3Address', () => {
  it('reads every part of an address', () => {
    expect(
      parseS3Address('s3+https://KEY:se%2Fcret@s3.example:9000/bucket/some/prefix?region=eu-1'),
    ).toEqual({
      useTls: true,
      host: 's3.example',
      port: 9000,
      accessKey: 'KEY',
      secretKey: 'se/cret',
      bucket: 'bucket',
      prefix: 'some/prefix/',
      region: 'eu-1',
    });
  });

  it.each([
    ['s3+http://K:S@host/bucket', 80],
    ['s3+https://K:S@host/bucket/', 443],
  ])('knows the defaults of %s', (address, port) => {
    expect(parseS3Address(address)).toMatchObject({
      port,
      prefix: '',
      region: 'us-east-1',
      bucket: 'bucket',
    });
  });

  it.each([
    ['s3+http://K:topsecret@host/', 'names no bucket'],
    ['s3+http://host/bucket', 'needs an access key'],
    ['s3+http://topsecret@host/bucket', 'needs an access key'],
  ])('says what is wrong with %s, without the secret', (address, problem) => {
    expect(() => parseS3Address(address)).toThrow(problem);
    expect(() => parseS3Address(address)).not.toThrow('topsecret');
  });

  it('moves to the address clients reach', () => {
    const address = parseS3Address('s3+http://K:S@minio:9000/bucket');
    expect(atPublicEndpoint(address, 'https://files.example')).toEqual({
      ...address,
      useTls: true,
      host: 'files.example',
      port: 443,
    });
    expect(() => atPublicEndpoint(address, 'https://files.example/path')).toThrow(
      'must have no path',
    );
  });
});
