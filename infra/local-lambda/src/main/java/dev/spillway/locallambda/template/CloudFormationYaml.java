package dev.spillway.locallambda.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * YAML with CloudFormation's short tags written out: {@code !Ref X} becomes {@code {Ref: X}} and
 * {@code !GetAtt X.Arn} becomes {@code {Fn::GetAtt: X.Arn}}, so that one resolver reads both forms.
 */
final class CloudFormationYaml extends SafeConstructor {
  private CloudFormationYaml(LoaderOptions options) {
    super(options);
    yamlMultiConstructors.put("!", new ShortTag());
  }

  static Map<?, ?> parse(String text) {
    Object document;
    try {
      document = new Yaml(new CloudFormationYaml(new LoaderOptions())).load(text);
    } catch (YAMLException e) {
      throw new TemplateException("not YAML: " + e.getMessage());
    }
    if (document instanceof Map<?, ?> map) {
      return map;
    }
    throw new TemplateException("not a template: the document is not a map");
  }

  private final class ShortTag extends AbstractConstruct {
    @Override
    public Object construct(Node node) {
      String tag = node.getTag().getValue().substring(1);
      String name = tag.equals("Ref") || tag.equals("Condition") ? tag : "Fn::" + tag;
      return Map.of(name, value(node));
    }

    private Object value(Node node) {
      return switch (node) {
        case ScalarNode scalar -> scalar.getValue();
        case SequenceNode sequence -> {
          List<Object> items = new ArrayList<>();
          sequence.getValue().forEach(item -> items.add(constructObject(item)));
          yield items;
        }
        case MappingNode mapping -> constructMapping(mapping);
        default -> throw new TemplateException("cannot read " + node.getTag());
      };
    }
  }
}
