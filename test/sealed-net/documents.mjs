// Documents that name addresses a reader must not fetch, made here byte by byte.
import { strToU8, zipSync } from 'fflate';

/** A PDF whose text is `text`, with an XFA form, an external stream, an action and a link that all name `url`. */
export function pdfNaming(url, text) {
  const content = `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const xfa = `<template><image href="${url}"/></template>`;
  const stream = (dictionary, body) =>
    `<< ${dictionary} /Length ${body.length} >>\nstream\n${body}\nendstream`;
  const fileSpec = `<< /FS /URL /F (${url}) >>`;
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /XFA 6 0 R /Fields [] >> /OpenAction << /S /URI /URI (${url}) >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R] /Annots [8 0 R]
       /Resources << /Font << /F1 5 0 R >> /XObject << /X 7 0 R >> >> >>`,
    stream('', `${content} q 100 0 0 100 0 0 cm /X Do Q`),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream('', xfa),
    stream(
      `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /F ${fileSpec}`,
      '',
    ),
    `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /GoToR /F ${fileSpec} /D [0 /Fit] >> >>`,
  ]);
}

function pdfOf(objects) {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

/** A DOCX whose text is `text`, with a template, an image and a frame elsewhere: all name `url`. */
export function docxNaming(url, text) {
  const types = 'http://schemas.openxmlformats.org/package/2006/';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const external = (id, type) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${url}" TargetMode="External"/>`;
  const drawing = `<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="r1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;
  const files = {
    '[Content_Types].xml': `<Types xmlns="${types}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${types}relationships"><Relationship Id="d" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${types}relationships">${external('r1', 'image')}${external('r2', 'attachedTemplate')}${external('r3', 'frame')}${external('r4', 'subDocument')}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${office}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body><w:p><w:r><w:t>${text}</w:t>${drawing}</w:r></w:p><w:subDoc r:id="r4"/></w:body></w:document>`,
  };
  const entries = Object.entries(files).map(([name, body]) => [name, strToU8(body)]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}
