// A reading thread that is lost as the page says.
export default function lose({ markdown }) {
  switch (markdown) {
    case 'hang':
      for (;;);
    case 'exit':
      return process.exit(1);
    case 'throw':
      throw new Error('a defect');
    default:
      return { parts: [markdown], isCut: false };
  }
}
